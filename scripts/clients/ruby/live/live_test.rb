require 'minitest/autorun'

# sample start
require 'switchyard'

client = Switchyard::Client.new(
  api_key: ENV.fetch('SWITCHYARD_API_KEY'),
  base_url: ENV.fetch('SWITCHYARD_BASE_URL', 'http://127.0.0.1:8080')
)
# end

describe Switchyard do
  base_url = ENV.fetch('SWITCHYARD_BASE_URL')
  hello = Switchyard::ChatMessageRequest.new(message: 'Hello')

  it 'takes variant A' do
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
    assert_match(/\Achat-/, answer.id)
    assert_operator answer.usage.total_tokens, :>, 1
  end

  it 'takes variant B' do
    # sample createChat: A single message (variant B)
    answer = client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: 'Why is the sky blue?'))
    puts answer.content
    # end
    assert_equal 'stop', answer.finish_reason
  end

  it 'lists models, usage and requests' do
    client.chat.create_chat(hello)
    # sample listModels
    client.models.list_models.data.each { |model| puts "#{model.id} #{model.provider}" }
    # end
    # sample getUsage
    usage = client.usage.get_usage(from: Date.new(2026, 11, 1))
    puts usage.plan, usage.total.requests
    # end
    assert_operator usage.total.requests, :>, 0
    # sample listRequests
    page = client.usage.list_requests(limit: 10)
    page.data.each { |request| puts "#{request.request_id} #{request.status}" }
    # end
    request_id = page.data.first.request_id
    # sample getRequest
    request = client.usage.get_request(request_id)
    puts request.status, request.attempts.size
    # end
    assert_equal request_id, request.request_id
  end

  # if useFeature
  it 'uses features' do
    # sample listFeatures
    client.features.list_features.data.each { |feature| puts "#{feature.id} #{feature.availability}" }
    # end
    # sample keywords
    input = Switchyard::KeywordsInput.new(text: 'Solar panels turn sunlight into electricity.', limit: 2)
    result = client.features.keywords(Switchyard::KeywordsCall.new(input: input))
    result.output.keywords.each { |keyword| puts "#{keyword.keyword} #{keyword.score}" }
    # end
    assert_equal 2, result.output.keywords.size
    # sample useFeature
    call = Switchyard::AiCall.new(input: { text: 'Solar panels turn sunlight into electricity.', limit: 2 })
    used = client.features.use_feature('keywords', call)
    puts used.output
    # end
    assert_equal 'keywords', used.feature
  end

  # end if
  # if runAgent
  it 'runs an agent' do
    # sample runAgent
    run = client.agents.run_agent('assistant', Switchyard::AgentRunRequest.new(input: 'What is 17 * 23?'))
    puts run.status, run.output
    # end
    assert_equal 'succeeded', run.status
  end

  # end if
  it 'raises typed errors' do
    # sample errors
    begin
      client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: 'Hello', temperature: 3))
    rescue Switchyard::RateLimitError => e
      puts "come back in #{e.retry_after} seconds"
    rescue Switchyard::Error => e
      puts e.code, e.error.code, e.error.param, e.error.message
    end
    # end
    error = assert_raises(Switchyard::InvalidRequestError) do
      client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: 'Hello', temperature: 3))
    end
    assert_equal [400, 'temperature'], [error.code, error.error.param]
    assert_raises(Switchyard::AuthenticationError) do
      Switchyard::Client.new(api_key: 'wrong', base_url: base_url).models.list_models
    end
    assert_raises(Switchyard::NotFoundError) { client.usage.get_request('req_none') }
  end

  it 'raises a spent limit' do
    key = ENV.fetch('SWITCHYARD_LIMITED_API_KEY')
    limited = Switchyard::Client.new(api_key: key, base_url: base_url, max_retries: 0)
    limited.chat.create_chat(hello)
    error = assert_raises(Switchyard::RateLimitError) { limited.chat.create_chat(hello) }
    assert_operator error.retry_after, :>, 0
  end

  it 'retries what is worth it, and nothing else' do
    sent = 0
    Typhoeus.before { sent += 1 }
    failing = Switchyard::ChatMessageRequest.new(model: 'sandbox/error', message: 'Hello')
    assert_raises(Switchyard::ServerError) { client.chat.create_chat(failing) }
    assert_equal 3, sent
    assert_raises(Switchyard::InvalidRequestError) do
      client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: ''))
    end
    assert_equal 4, sent
    Typhoeus.before.clear
  end
end
