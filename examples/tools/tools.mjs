const tools = [
  {
    type: 'function',
    function: {
      name: 'stock_of',
      description: 'How many pieces of an article are in stock.',
      parameters: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
    },
  },
];
const functions = { stock_of: ({ article }) => ({ article, in_stock: 12 }) };

const messages = [{ role: 'user', content: 'How many "lamps" are in stock?' }];
for (let step = 0; step < 5; step += 1) {
  const response = await fetch('http://127.0.0.1:8080/v1/chat', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.SWITCHYARD_API_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: 'sandbox/parallel-tools', messages, tools }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  if (answer.finish_reason !== 'tool_calls') {
    console.log(answer.content);
    break;
  }
  messages.push({ role: 'assistant', content: answer.content, tool_calls: answer.tool_calls });
  for (const { id, function: call } of answer.tool_calls) {
    console.log('Calls', call.name, call.arguments);
    const result = functions[call.name](JSON.parse(call.arguments));
    messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) });
  }
}
