# The samples of the documentation. Each is run as it is printed, after `start`, as a program of its own.

# sample start
require 'switchyard'

client = Switchyard::Client.new(
  api_key: ENV.fetch('SWITCHYARD_API_KEY'),
  base_url: ENV.fetch('SWITCHYARD_BASE_URL', 'http://127.0.0.1:8080')
)
# end

# sample createChat: A conversation (variant A)
answer = client.chat.create_chat(
  Switchyard::ChatMessagesRequest.new(
    model: 'sandbox',
    messages: [
      Switchyard::ChatMessage.new(role: 'system', content: 'You answer in one sentence.'),
      Switchyard::ChatMessage.new(role: 'user', content: 'Why is the sky blue?')
    ],
    temperature: 0.7
  )
)
puts answer.content, answer.usage.total_tokens
# end

# sample createChat: A single message (variant B)
answer = client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: 'Why is the sky blue?'))
puts answer.content
# end

# sample createEstimate
estimate = client.chat.create_estimate(Switchyard::ChatMessageRequest.new(message: 'Why is the sky blue?'))
puts estimate.refused, estimate.targets.first.model, estimate.tokens.prompt
# end

# sample createChatAlias
answer = client.chat.create_chat_alias(Switchyard::ChatMessageRequest.new(message: 'Why is the sky blue?'))
puts answer.content
# end

# sample streamChat
request = Switchyard::ChatMessageStreamRequest.new(message: 'Why is the sky blue?')
client.chat.stream_chat(request) do |event|
  case event
  when Switchyard::ChatDeltaEvent then print event.content
  when Switchyard::ChatEndEvent then puts "\n#{event.usage.total_tokens} tokens"
  end
end
# end

# sample listModels
client.models.list_models.data.each { |model| puts "#{model.id} #{model.provider}" }
# end

# sample getUsage
usage = client.usage.get_usage
puts usage.plan, usage.total.requests
# end

# sample exportUsage
puts client.usage.export_usage
# end

# sample listOwnBudgets
client.usage.list_own_budgets.data.each { |budget| puts "#{budget.label} #{budget.state.used} #{budget.limit}" }
# end

# sample listRequests
page = client.usage.list_requests(limit: 10)
page.data.each { |request| puts "#{request.request_id} #{request.status}" }
# end

# sample getRequest
page = client.usage.list_requests(limit: 1)
request = client.usage.get_request(page.data.first.request_id)
puts request.status, request.attempts.size
# end

# sample listFeatures
client.features.list_features.data.each { |feature| puts "#{feature.id} #{feature.availability}" }
# end

# sample useFeature
call = Switchyard::AiCall.new(input: { text: 'Solar panels turn sunlight into electricity.', limit: 2 })
result = client.features.use_feature('keywords', call)
puts result.output
# end

# sample streamFeature
call = Switchyard::AiStreamCall.new(
  input: { text: 'Solar panels turn sunlight into electricity. They have no moving parts.' },
  engine: 'local'
)
client.features.stream_feature('summarize', call) do |event|
  puts event.output if event.is_a?(Switchyard::AiEndEvent)
end
# end

# sample classify
labels = %w[delivery payment].map { |name| Switchyard::ClassifyInputLabelsItem.new(name: name) }
input = Switchyard::ClassifyInput.new(text: 'My parcel has not arrived.', labels: labels)
result = client.features.classify(Switchyard::ClassifyCall.new(input: input))
puts result.output.labels, result.output.reason
# end

# sample extract
schema = { type: 'object', properties: { name: { type: 'string' } } }
input = Switchyard::ExtractInput.new(text: 'Ada Lovelace, born in 1815', schema: schema)
result = client.features.extract(Switchyard::ExtractCall.new(input: input))
puts result.output.data
# end

# sample moderate
input = Switchyard::ModerateInput.new(text: 'Have a nice day.')
result = client.features.moderate(Switchyard::ModerateCall.new(input: input))
puts result.output.flagged
# end

# sample rewrite
input = Switchyard::RewriteInput.new(text: 'Send it now.', tone: 'friendly')
result = client.features.rewrite(Switchyard::RewriteCall.new(input: input))
puts result.output.text
# end

# sample translate
input = Switchyard::TranslateInput.new(text: 'Good morning', to: 'de')
result = client.features.translate(Switchyard::TranslateCall.new(input: input))
puts result.output.translation
# end

# sample compare
input = Switchyard::CompareInput.new(a: 'Solar panels make power.', b: 'Solar panels make electric power.')
result = client.features.compare(Switchyard::CompareCall.new(input: input))
puts result.output.similarity, result.output.verdict
# end

# sample detectLanguage
input = Switchyard::DetectLanguageInput.new(text: 'Sonnenkollektoren machen aus Licht elektrischen Strom.')
result = client.features.detect_language(Switchyard::DetectLanguageCall.new(input: input))
puts result.output.language
# end

# sample keywords
input = Switchyard::KeywordsInput.new(text: 'Solar panels turn sunlight into electricity.', limit: 2)
result = client.features.keywords(Switchyard::KeywordsCall.new(input: input))
result.output.keywords.each { |keyword| puts "#{keyword.keyword} #{keyword.score}" }
# end

# sample sentiment
input = Switchyard::SentimentInput.new(text: 'The new panels work wonderfully.')
result = client.features.sentiment(Switchyard::SentimentCall.new(input: input))
puts result.output.sentiment, result.output.score
# end

# sample summarize
input = Switchyard::SummarizeInput.new(text: 'Solar panels turn sunlight into electricity. They have no moving parts.')
result = client.features.summarize(Switchyard::SummarizeCall.new(input: input, engine: 'local'))
puts result.output.summary
# end

# sample listAgents
client.agents.list_agents.data.each { |agent| puts "#{agent.id} #{agent.name}" }
# end

# sample getAgent
agent = client.agents.get_agent('assistant')
puts agent.name, agent.tools.size
# end

# sample runAgent
run = client.agents.run_agent('assistant', Switchyard::AgentRunRequest.new(input: 'What is 17 * 23?'))
puts run.status, run.output
# end

# sample runAssistant
run = client.agents.run_assistant(Switchyard::TextRunRequest.new(input: 'What is 17 * 23?'))
puts run.status, run.output
# end

# sample runAppBuilder
run = client.agents.run_app_builder(Switchyard::TextRunRequest.new(input: 'Build a to-do list for a family'))
puts run.status, run.output
# end

# sample runAnalyst
run = client.agents.run_analyst(Switchyard::TextRunRequest.new(input: 'What is the mean of 3, 5 and 10?'))
puts run.status, run.output
# end

# sample streamAgentRun
request = Switchyard::AgentStreamRequest.new(input: 'What is 17 * 23?')
client.agents.stream_agent_run('assistant', request) do |event|
  case event
  when Switchyard::RunDeltaEvent then print event.content
  when Switchyard::RunEndEvent then puts "\n#{event.run.status}"
  end
end
# end

# sample listAgentRuns
page = client.agents.list_agent_runs('assistant', limit: 10)
page.data.each { |run| puts "#{run.id} #{run.status}" }
# end

# sample getAgentRun
page = client.agents.list_agent_runs('assistant', limit: 1)
run = client.agents.get_agent_run('assistant', page.data.first.id)
puts run.status, run.steps.size
# end

# sample streamAgentRunEvents
run = client.agents.run_agent(
  'assistant', Switchyard::AgentRunRequest.new(input: 'What is 17 * 23?', background: true)
)
after = 0 # the number of the last event that has arrived
begin
  client.agents.stream_agent_run_events('assistant', run.id, after: after) { |event| puts event.type }
rescue Switchyard::StreamInterruptedError => e
  after = [after, e.after].max
  retry
end
# end

# sample cancelAgentRun
run = client.agents.run_agent(
  'assistant', Switchyard::AgentRunRequest.new(input: 'What is 17 * 23?', background: true)
)
puts client.agents.cancel_agent_run('assistant', run.id).status
# end

# sample getManifest
manifest = client.factory.get_manifest
puts manifest.name, manifest.operations.size
# end

# sample getOpenApi
contract = client.factory.get_open_api
puts contract.openapi, contract.info.title
# end

# sample getOpenApiJson
contract = client.factory.get_open_api_json
puts contract.openapi, contract.info.version
# end

# sample getOpenApi30Json
contract = client.factory.get_open_api30_json
puts contract.openapi, contract.info.version
# end

# sample getOpenApi32Json
contract = client.factory.get_open_api32_json
puts contract.openapi, contract.info.version
# end

# sample getOpenApiYaml
puts client.factory.get_open_api_yaml.content.bytesize
# end

# sample getPostmanCollection
collection = client.factory.get_postman_collection
puts collection.info.name, collection.item.size
# end

# sample getPostmanEnvironment
environment = client.factory.get_postman_environment
puts environment.name, environment.values.size
# end

# sample getFactoryStatus
status = client.factory.get_factory_status
puts status.status, status.version
# end

# sample signUp
request = Switchyard::SignupRequest.new(
  email: 'ada@analytical.example', org_name: 'Analytical Engines', tier: Switchyard::PlanName::PRO
)
begin
  puts client.factory.sign_up(request).status
rescue Switchyard::NotFoundError => e
  puts "this server takes no sign-ups: #{e.message}"
end
# end

# sample listPublicTemplates
client.demo.list_public_templates.data.each { |template| puts "#{template.id} #{template.name}" }
# end

# sample createPublicPlan
plan = client.demo.create_public_plan(
  Switchyard::PlanRequest.new(prompt: 'A reading list where I can rate books')
)
plan.spec.entity&.fields&.each { |field| puts "#{field.label} #{field.type}" }
puts "not taken up: #{plan.not_taken_up.join(', ')}"
# end

# sample createPublicDemo
request = Switchyard::DemoRequest.new(prompt: 'A to-do list for a family')
client.demo.create_public_demo(request) do |event|
  case event
  when Switchyard::FileCompletedEvent then puts "#{event.path} #{event.bytes}"
  when Switchyard::JobSucceededEvent then puts event.job.preview.url
  when Switchyard::JobFailedEvent then puts event.message
  end
end
# end

# sample getPublicDemo
job = client.demo.get_public_demo(ENV.fetch('DEMO_JOB_ID'))
puts job.status
job.files.each { |file| puts "#{file.path} #{file.bytes}" }
# end

# sample streamPublicDemoEvents
after = 5 # the number of the last event that is known
client.demo.stream_public_demo_events(ENV.fetch('DEMO_JOB_ID'), after: after) { |event| puts event.type }
# end

# sample getPublicDemoArtifact
zip = client.demo.get_public_demo_artifact(ENV.fetch('DEMO_JOB_ID'))
puts zip.name, zip.save('app.zip')
# end

# sample listPublicDemoFiles
files = client.demo.list_public_demo_files(ENV.fetch('DEMO_JOB_ID')).data
files.each { |file| puts "#{file.path} #{file.bytes}" }
puts files.find { |file| file.path == 'README.md' }&.text
# end

# sample createPublicDemoRevision
spec = Switchyard::AppSpec.new(name: 'Shelf', palette: Switchyard::AppPalette.new(accent: '#2f7d4f'))
request = Switchyard::RevisionRequest.new(spec: spec)
client.demo.create_public_demo_revision(ENV.fetch('DEMO_JOB_ID'), request) do |event|
  case event
  when Switchyard::JobSucceededEvent then puts event.job.revision.number, event.job.preview.url
  when Switchyard::JobFailedEvent then puts event.message
  end
end
# end

# sample listPublicDemoRevisions
page = client.demo.list_public_demo_revisions(ENV.fetch('DEMO_JOB_ID'), limit: 10)
page.data.each { |job| puts "#{job.revision.number} #{job.revision.change.type} #{job.status}" }
# end

# sample getNewestPublicDemo
job = client.demo.get_newest_public_demo(ENV.fetch('DEMO_JOB_ID'))
puts job.revision.number, job.id, job.preview&.url
# end

# sample getPublicDemoDiff
newest = client.demo.get_newest_public_demo(ENV.fetch('DEMO_JOB_ID'))
# Without the number of a revision it is compared with the one that it was made from.
diff = client.demo.get_public_demo_diff(newest.id, against: '1')
diff.spec.each { |change| puts "#{change.path}: #{change.before} -> #{change.after}" }
puts diff.files.filter_map(&:diff)
# end

# sample createFactoryJob
job = client.jobs.create_factory_job(Switchyard::JobRequest.new(prompt: 'A to-do list for a family'))
puts job.id, job.status
# end

# sample createFactoryPlan
plan = client.jobs.create_factory_plan(
  Switchyard::PlanRequest.new(prompt: 'A reading list where I can rate books')
)
puts "not taken up: #{plan.not_taken_up.join(', ')}"
plan.spec.name = 'Shelf' # a plan can be corrected before it is built
job = client.jobs.create_factory_job(Switchyard::JobRequest.new(spec: plan.spec))
puts job.id, job.status
# end

# sample listFactoryJobs
client.jobs.list_factory_jobs(limit: 10).data.each { |job| puts "#{job.id} #{job.status}" }
# end

# sample getFactoryJob
job = client.jobs.get_factory_job(ENV.fetch('JOB_ID'))
puts job.status
job.files.each { |file| puts "#{file.path} #{file.bytes}" }
# end

# sample streamFactoryJobEvents
job = client.jobs.create_factory_job(Switchyard::JobRequest.new(prompt: 'A to-do list for a family'))
after = 0 # the number of the last event that has arrived
begin
  client.jobs.stream_factory_job_events(job.id, after: after) do |event|
    puts "#{event.path} #{event.bytes}" if event.is_a?(Switchyard::FileCompletedEvent)
  end
rescue Switchyard::StreamInterruptedError => e
  after = [after, e.after].max
  retry
end
# end

# sample getFactoryJobArtifact
zip = client.jobs.get_factory_job_artifact(ENV.fetch('JOB_ID'))
puts zip.name, zip.save('app.zip')
# end

# sample listFactoryJobFiles
files = client.jobs.list_factory_job_files(ENV.fetch('JOB_ID')).data
files.each { |file| puts "#{file.path} #{file.bytes}" }
puts files.find { |file| file.path == 'README.md' }&.text
# end

# sample createFactoryRevision
request = Switchyard::RevisionRequest.new(instruction: 'call it Shelf and make it green')
job = client.jobs.create_factory_revision(ENV.fetch('JOB_ID'), request)
client.jobs.stream_factory_job_events(job.id) do |event|
  puts event.job.revision.number, event.job.revision.understood if event.is_a?(Switchyard::JobSucceededEvent)
end
# end

# sample listFactoryRevisions
page = client.jobs.list_factory_revisions(ENV.fetch('JOB_ID'), limit: 10)
page.data.each { |job| puts "#{job.revision.number} #{job.revision.change.type} #{job.status}" }
# end

# sample getNewestFactoryJob
job = client.jobs.get_newest_factory_job(ENV.fetch('JOB_ID'))
puts job.revision.number, job.id, job.preview&.url
# end

# sample getFactoryJobDiff
newest = client.jobs.get_newest_factory_job(ENV.fetch('JOB_ID'))
# Without the number of a revision it is compared with the one that it was made from.
diff = client.jobs.get_factory_job_diff(newest.id, against: '1')
diff.spec.each { |change| puts "#{change.path}: #{change.before} -> #{change.after}" }
puts diff.files.filter_map(&:diff)
# end

# sample cancelFactoryJob
job = client.jobs.create_factory_job(Switchyard::JobRequest.new(prompt: 'A to-do list for a family'))
puts client.jobs.cancel_factory_job(job.id).status
# end

# sample errors
begin
  client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: 'Hello', temperature: 3))
rescue Switchyard::RateLimitError => e
  puts "come back in #{e.retry_after} seconds"
rescue Switchyard::Error => e
  puts e.status, e.error&.code, e.error&.param, e.message
end
# end
