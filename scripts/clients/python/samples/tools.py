import json

from switchyard import Switchyard
from switchyard.params import ChatMessageParam, ToolParam

client = Switchyard()

messages: list[ChatMessageParam] = [{"role": "user", "content": "What is 17 * 23?"}]
multiply: ToolParam = {
    "type": "function",
    "function": {
        "name": "multiply",
        "description": "Multiplies two numbers.",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        },
    },
}

for turn in range(5):  # At most five rounds; in the first one the model has to call a tool
    answer = client.chat.create(
        model="sandbox",
        messages=messages,
        tools=[multiply],
        tool_choice="required" if turn == 0 else "auto",
    )
    print(answer.content)
    calls = answer.tool_calls or []
    if not calls:
        break
    messages.append(
        {
            "role": "assistant",
            "content": answer.content,
            "tool_calls": [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.function.name, "arguments": call.function.arguments},
                }
                for call in calls
            ],
        }
    )
    for call in calls:
        given = json.loads(call.function.arguments)
        messages.append({"role": "tool", "tool_call_id": call.id, "content": str(given["a"] * given["b"])})
