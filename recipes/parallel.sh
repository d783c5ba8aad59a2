#!/bin/bash
# Runs a sweep (an experiment with many runs) in parts with GNU parallel, and joins the tables.
# Usage: parallel.sh DEFINITION PARTS [arguments of parallel]
# To use other machines: parallel.sh load.json 100 --sshlogin ann@node1,ann@node2. Each machine needs
# backfill on its PATH, and the folder of the definition under the same path.
set -eu
definition=$(realpath "$1")
parts=$2
shift 2

# A part that fails is started again, at most twice. It continues where it stopped, because finished runs are stored.
seq "$parts" | parallel --quote --retries 3 "$@" \
    backfill sweep "$definition" -shard "{}/$parts" -workers 1 -quiet

backfill collect "$definition" "${definition%.*}.*-of-$parts.csv" -out "${definition%.*}.csv"
