# Calls the server with the client that OpenAPI Generator makes for Ruby, over Debian's Typhoeus.
require 'openapi_client'

def expect(fits, value)
  raise "unexpected: #{value.inspect}" unless fits
end

OpenapiClient.configure do |configuration|
  configuration.access_token = configuration.api_key['X-API-Key'] = ENV.fetch('API_KEY')
end
chat = OpenapiClient::ChatApi.new

single = OpenapiClient::ChatMessageRequest.new(model: 'sandbox/echo', message: 'Hello')
answer = chat.create_chat(single)
expect(answer.content == 'Hello' && answer.usage.total_tokens.positive?, answer)

messages = [OpenapiClient::ChatMessage.new(role: 'user', content: 'Hello again')]
answer = chat.create_chat(OpenapiClient::ChatMessagesRequest.new(model: 'sandbox/echo', messages: messages))
expect(answer.content == 'Hello again', answer)

stream = chat.stream_chat(OpenapiClient::ChatMessageStreamRequest.new(model: 'sandbox/echo', message: 'Hello'))
expect(stream.start_with?("event: start\n") && stream.include?("event: end\n"), stream)

builds = OpenapiClient::FactoryJobsApi.new
job = builds.create_factory_job(OpenapiClient::JobRequest.new(prompt: 'a packing list'))
builds.stream_factory_job_events(job.id)
job = builds.get_factory_job(job.id)
expect(job.status == OpenapiClient::JobStatus::JOB_STATUS_SUCCEEDED && job.artifact.bytes.positive?, job)

begin
  OpenapiClient::AgentsApi.new.get_agent('nobody')
  raise 'found an agent that is not there'
rescue OpenapiClient::ApiError => failure
  reply = JSON.parse(failure.response_body)
  expect(failure.code == 404 && reply['error']['code'] == OpenapiClient::ErrorCode::NOT_FOUND, failure)
end
