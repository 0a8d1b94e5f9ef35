import { type ChatMessage, Switchyard, type Tool } from '@switchyard/client';

const switchyard = new Switchyard();

const messages: ChatMessage[] = [{ role: 'user', content: 'What is 17 * 23?' }];
const multiply: Tool = {
  type: 'function',
  function: {
    name: 'multiply',
    description: 'Multiplies two numbers.',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  },
};

// At most five rounds; in the first one the model has to call a tool
for (let round = 0; round < 5; round++) {
  const { content, tool_calls = [] } = await switchyard.createChat({
    body: { model: 'sandbox', messages, tools: [multiply], tool_choice: round === 0 ? 'required' : 'auto' },
  });
  console.log(content);
  if (tool_calls.length === 0) break;
  messages.push({ role: 'assistant', content, tool_calls });
  for (const call of tool_calls) {
    const { a, b } = JSON.parse(call.function.arguments);
    messages.push({ role: 'tool', tool_call_id: call.id, content: String(a * b) });
  }
}
