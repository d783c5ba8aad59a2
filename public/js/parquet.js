// This script writes Parquet files. The page loads it when a person saves one.
import { parquetWriteBuffer } from 'hyparquet-writer';

window.labParquetBytes = columns => new Uint8Array(parquetWriteBuffer({ columnData: columns }));
