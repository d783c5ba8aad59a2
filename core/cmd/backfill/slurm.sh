#!/bin/bash
# Job array of Slurm: the sweep {{.Base}} in {{.Tasks}} parts. backfill sweep -slurm wrote this script.
# All parts:              sbatch {{quote .Script}}
# Only parts 3 and 7:     sbatch --array=3,7 {{quote .Script}}
# Finished runs are stored. You can submit a part again at any time: it executes only the missing runs.
#SBATCH --job-name={{quote .Base}}
#SBATCH --array=1-{{.Tasks}}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{.Workers}}
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
#SBATCH --open-mode=append
#SBATCH --output={{quote .Log}}
{{range .Args}}#SBATCH {{.}}
{{end}}
name={{quote .FilePrefix}}.$SLURM_ARRAY_TASK_ID-of-{{.Tasks}}
size() { stat -c %s "$name.runs" 2>/dev/null || echo 0; }
before=$(size)

# SIGTERM (scancel, requeue, preemption): stop after the current run.
# SIGUSR1, 120 s before the time limit: do the same, and put the task back into the queue.
child= signalled= requeue=
stop() { signalled=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null; }
trap stop TERM INT
trap 'requeue=1; stop' USR1

{{quote .Program}} sweep {{quote .Definition}} -shard "$SLURM_ARRAY_TASK_ID/{{.Tasks}}" \
    -out "$name.csv" -workers {{.Workers}} -quiet &
child=$!
# If a signal arrived before the program had started, pass it on now.
[ -z "$signalled" ] || stop

# A signal ends wait early, so wait again.
status=
while [ -z "$status" ] || [ -n "$signalled" ]; do
    signalled=
    wait "$child"
    status=$?
done

if [ -n "$requeue" ] && [ "$status" -ne 0 ]; then
    if [ "$(size)" = "$before" ]; then
        echo "No run ended within the time limit. Submit part $SLURM_ARRAY_TASK_ID again with a longer --time." >&2
        exit 1
    fi
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$status"
