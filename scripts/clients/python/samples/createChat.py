from switchyard import Switchyard

client = Switchyard()

# A conversation (variant A)
answer = client.chat.create(
    model="sandbox",
    messages=[
        {"role": "system", "content": "You answer in one sentence."},
        {"role": "user", "content": "Why is the sky blue?"},
    ],
    temperature=0.7,
)
print(answer.content, answer.usage.total_tokens)

# A single message (variant B), answered by the server's default model
short = client.chat.create(message="Why is the sky blue?")
print(short.model, short.content)
