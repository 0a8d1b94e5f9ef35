from switchyard import Switchyard

client = Switchyard()

build = client.builds.create(prompt="A shopping list")

# Follow it to its end
for event in client.builds.events(build.id):
    print(event.type_)

# What it made: a list of the files, and the files themselves
done = client.builds.get(build.id)
print(done.status, len(done.files))
for path, content in client.builds.files(build.id).items():
    print(path, len(content))
