import { readFileSync } from 'node:fs';

const { key } = JSON.parse(readFileSync('key.json', 'utf8'));
const ports = [8091, 8092, 8093];
const statuses = await Promise.all(
  Array.from({ length: 12 }, async (_, n) => {
    const response = await fetch(`http://127.0.0.1:${ports[n % 3]}/v1/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Hello!' }),
    });
    return response.status;
  }),
);
const count = (status) => statuses.filter((one) => one === status).length;
console.log(`${count(200)} answered, ${count(429)} refused`);
