# Three servers; ending this script ends them.
trap 'kill 0' INT TERM
for port in 8091 8092 8093; do
  PORT=$port PUBLIC_URL=http://127.0.0.1:$port npm --prefix ../.. start &
done
wait
