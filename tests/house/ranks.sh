#!/bin/sh
# A sweep over several processes (mpirun) writes the table of one process; a process that dies ends it clearly, and it can
# go on; a program without MPI says what to install; a full disk loses nothing that is finished.
set -u
build=$2
viva=$build/viva
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bad() {
  echo "$*"
  exit 1
}
# events, a delay, samples that fail
cat > m.viva <<'END'
param k = 4, d = 0.1
coord x = 1
state z = 0.4
kinetic 1/2*x'^2
potential 1/2*k*x^2
dissipation 1/2*d*x'^2
force x = -delay(x, 0.3)
when x < -0.5 do x' := -0.8*x'
z' = 0.2*sqrt(z) - 0.2*x*k
simulate to 1.2 every 0.1
END
sweep() { # file, then more options
  file=$1
  shift
  set -- sweep m.viva --vary d=0:1 --random "k=normal(4, 0.5)" --samples ${samples:-80} --seed ${seed:-3} --measure "max(x')" --measure "time(x > 0.5)" --out "$file" "$@"
  ${start:-} "$viva" "$@" > out.txt 2> err.txt
}

# ---- a disk that is full: rows that are there stay, and it goes on
sweep one.csv --threads 1 || bad "the sweep fails: $(cat err.txt)"
grep -q ',failed,' one.csv || bad "no sample fails: the model is no test"
(
  ulimit -f 4 # blocks of 512 or 1024 bytes
  trap '' XFSZ
  sweep full.csv --threads 2
)
status=$?
[ $status = 1 ] || bad "a full disk ends with $status"
grep -q 'cannot be written' err.txt || bad "a full disk is not told: $(cat err.txt)"
rows=$(grep -c '^[0-9]' full.csv)
[ "$rows" -gt 10 ] || bad "only $rows rows are kept of a full disk"
sweep full.csv --resume || bad "it does not go on: $(cat err.txt)"
cmp one.csv full.csv || bad "after a full disk the table is another one"

# ---- without the module
start="env OMPI_COMM_WORLD_SIZE=3 OMPI_COMM_WORLD_RANK=0"
mkdir -p alone/lib
cp "$(readlink -f "$build/libviva.so")" alone/libviva.so.0
LD_LIBRARY_PATH=$folder/alone sweep none.csv
status=$?
[ $status = 2 ] || bad "without MPI it ends with $status: $(cat out.txt err.txt)"
grep -q 'was built without MPI' err.txt && grep -q 'libopenmpi-dev' err.txt || bad "without MPI: $(cat err.txt)"
[ ! -e none.csv ] || bad "without MPI there is a table"

# ---- ranks
if [ ! -f "$build/viva-mpi.so" ] || ! command -v mpirun > /dev/null 2>&1; then
  echo "skipped: without MPI (libopenmpi-dev, openmpi-bin) processes cannot be compared"
  exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_hwloc_base_binding_policy=none
start="timeout 60 mpirun -n 3"
sweep three.csv --threads 1 --rows r3.csv || bad "three processes fail: $(cat err.txt)"
cmp one.csv three.csv || bad "three processes write another table than one"
grep -q '3 processes' out.txt || bad "the summary does not tell of them: $(cat out.txt)"
start=""
sweep two.csv --threads 2 --rows r1.csv || bad "two threads fail: $(cat err.txt)"
cmp one.csv two.csv || bad "two threads write another table than one"
cmp r1.csv r3.csv || bad "trajectories of three processes are others than of one"
seed=4 sweep other.csv --threads 1
! cmp -s one.csv other.csv || bad "another seed makes the same table"

# ---- a process dies: longer runs, and more of them where a fast machine was done before it could
sed -i 's/simulate to 1.2 every 0.1/simulate to 60 every 5/; s/sqrt(z)/z^2/' m.viva
samples=250
while
  samples=$((samples * 2))
  [ $samples -le 16000 ] || bad "every sweep is done before a process dies"
  rm -f killed.csv
  start="timeout 60 mpirun -n 2"
  sweep killed.csv &
  mpi=$!
  i=0
  while [ "$(grep -c '^[0-9]' killed.csv 2> /dev/null || true)" -lt 5 ] 2> /dev/null || [ ! -s killed.csv ]; do
    i=$((i + 1))
    [ $i -lt 500 ] || bad "the sweep does not begin: $(cat err.txt)"
    sleep 0.02
  done
  for pid in $(pgrep -f "$viva sweep m.viva.*killed.csv"); do
    if tr '\0' '\n' < "/proc/$pid/environ" 2> /dev/null | grep -q '^OMPI_COMM_WORLD_RANK=1$'; then kill -9 "$pid"; fi
  done
  wait $mpi
  status=$?
  tail -1 killed.csv | grep -q '^# done'
do :; done
[ $status != 0 ] || bad "a process that died ends with 0"
grep -q 'resume' err.txt || bad "that it can go on is not told: $(cat err.txt)"
rows=$(grep -c '^[0-9]' killed.csv)
start=""
sweep killed.csv --resume || bad "it does not go on: $(cat err.txt)"
sweep whole.csv
cmp killed.csv whole.csv || bad "what went on after $rows rows is another table"
exit 0
