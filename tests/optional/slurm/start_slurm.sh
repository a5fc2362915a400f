#!/bin/sh
# Starts a Slurm of one node, this machine, to try `--executor slurm` on. As root, on Debian or Ubuntu:
#     apt-get install -y slurm-wlm munge
#     tests/optional/slurm/start_slurm.sh /srv/slurm    # an empty folder, for its settings, state and logs
#     export SLURM_CONF=/srv/slurm/slurm.conf
# Again with the same folder: a node that was killed comes back. To end it: `scontrol shutdown`.
set -eu
mkdir -p "$1/state" "$1/spool"
folder=$(realpath "$1")
host=$(hostname -s)
export SLURM_CONF="$folder/slurm.conf"
cat >"$SLURM_CONF" <<CONF
ClusterName=one
SlurmctldHost=$host
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmdTimeout=10
NodeName=$host CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES
CONF
if ! munge -n >/dev/null 2>&1; then
    install -d -o munge -g munge /run/munge
    runuser -u munge -- munged
fi
scontrol ping 2>/dev/null | grep -q 'is UP' || slurmctld
pkill -0 --pidfile "$folder/slurmd.pid" 2>/dev/null || slurmd
for second in $(seq 60); do
    if sinfo --noheader --format %T 2>/dev/null | grep -qE 'idle|mix|alloc'; then
        sinfo
        exit
    fi
    sleep 1
done
echo "no node is ready after 60 s; see $folder/slurmctld.log and $folder/slurmd.log" >&2
exit 1
