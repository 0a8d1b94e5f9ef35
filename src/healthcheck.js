/** Ends with 0 where the server of this container answers, with 1 where it does not. Whether it is ready, `/readyz` says. */
const { PORT = '8080' } = process.env;
try {
  const { status } = await fetch(`http://127.0.0.1:${PORT}/livez`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
