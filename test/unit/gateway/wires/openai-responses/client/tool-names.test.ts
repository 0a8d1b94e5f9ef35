import { describe, expect, it } from 'vitest';
import { ToolNames } from '../../../../../../src/gateway/wires/openai-responses/client/read-tools.ts';
import { openAiResponsesWire } from '../../../../../../src/gateway/wires/openai-responses/client/wire.ts';

describe('the names of tools in namespaces', () => {
  it('are joined to one name and taken apart again', () => {
    const names = new ToolNames();
    const tool = { name: 'create_issue', namespace: 'mcp__tracker' };
    expect(names.joined(tool)).toBe('mcp__tracker__create_issue');
    expect(names.original('mcp__tracker__create_issue')).toEqual(tool);
    expect(names.original('made_up')).toEqual({ name: 'made_up' });
  });

  it('stay those of their tools where a conversation leaves the namespace out', () => {
    const names = new ToolNames();
    const tool = { name: 'read', namespace: 'files' };
    names.joined(tool);
    expect(names.joined({ name: 'files__read' })).toBe('files__read');
    expect(names.original('files__read')).toEqual(tool);
  });

  it('differ from the names of other tools, and are the same in each request', () => {
    const joinedNames = () => {
      const names = new ToolNames();
      const tools = [
        { name: 'a__b__c' },
        { name: 'b__c', namespace: 'a' },
        { name: 'c', namespace: 'a__b' },
        { name: 'x'.repeat(60), namespace: 'long' },
        { name: `${'x'.repeat(60)}y`, namespace: 'long' },
      ];
      const joined = tools.map((tool) => names.joined(tool));
      expect(joined.map((name) => names.original(name))).toEqual(tools);
      return joined;
    };
    const joined = joinedNames();
    expect(new Set(joined).size).toBe(5);
    expect(joined[0]).toBe('a__b__c');
    expect(joined.every((name) => /^[\w-]{1,64}$/.test(name))).toBe(true);
    expect(joinedNames()).toEqual(joined);
  });

  it('are chosen by both parts', () => {
    const tool = { type: 'function', name: 'read', parameters: { type: 'object' } };
    const { call } = openAiResponsesWire.read({
      model: 'm',
      input: 'Hi',
      tools: [tool, { type: 'namespace', name: 'files', description: 'Files', tools: [tool] }],
      tool_choice: { type: 'function', name: 'read', namespace: 'files' },
    });
    expect(call.toolChoice).toEqual({ type: 'function', function: { name: 'files__read' } });
    expect(call.tools).toHaveLength(2);
  });

  it('may be told among the items, again and again', () => {
    const tool = { type: 'function', name: 'read', parameters: { type: 'object' } };
    const added = { type: 'additional_tools', role: 'developer', tools: [tool] };
    const { call } = openAiResponsesWire.read({
      model: 'm',
      input: [{ role: 'user', content: 'Hi' }, added, added],
    });
    expect(call.tools).toHaveLength(1);
  });
});
