// Writes Parquet files. The page loads this script when a person saves one.
import { parquetWriteBuffer } from 'hyparquet-writer';

window.labParquetBytes = columns => new Uint8Array(parquetWriteBuffer({ columnData: columns }));
