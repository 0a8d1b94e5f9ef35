import { readFileSync } from 'node:fs';

const { key } = JSON.parse(readFileSync('key.json', 'utf8'));
for (const n of [1, 2, 3, 4]) {
  const response = await fetch('http://127.0.0.1:8080/v1/chat', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello!' }),
  });
  const { error } = await response.json();
  console.log(n, response.status, error?.code ?? 'answered');
}
