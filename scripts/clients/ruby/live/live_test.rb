require 'minitest/autorun'
require 'switchyard'

describe Switchyard do
  base_url = ENV.fetch('SWITCHYARD_BASE_URL')
  job_id = ENV.fetch('JOB_ID')
  client = Switchyard::Client.new(base_url: base_url)
  cut = Switchyard::Client.new(base_url: ENV.fetch('SWITCHYARD_CUT_URL'))

  def asking(model)
    Switchyard::ChatMessageRequest.new(message: 'Hello', model: model)
  end

  def streaming(model)
    Switchyard::ChatMessageStreamRequest.new(message: 'Hello', model: model)
  end

  it 'answers' do
    answer = client.chat.create_chat(asking('sandbox/echo'))
    assert_equal ['Hello', Switchyard::FinishReason::STOP], [answer.content, answer.finish_reason]
    assert_operator answer.usage.total_tokens, :>, 1
    message = Switchyard::AgentMessage.new(role: 'user', content: 'What is 17 * 23?')
    run = client.agents.run_agent('assistant', Switchyard::AgentRunRequest.new(input: [message]))
    assert_equal Switchyard::RunStatus::SUCCEEDED, run.status
    assert_instance_of Switchyard::ModelStep, run.steps.first
    assert_instance_of Time, run.created_at
  end

  it 'downloads' do
    zip = client.jobs.get_factory_job_artifact(job_id)
    assert_match(/\.zip\z/, zip.name)
    assert zip.content.start_with?('PK')
  end

  it 'sends headers of one\'s own' do
    id = "ruby-live-#{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)}"
    Switchyard::Client.new(base_url: base_url, headers: { 'X-Request-Id' => id }).chat.create_chat(asking('sandbox'))
    assert_equal id, client.usage.get_request(id).request_id
  end

  it 'streams, with a block and without' do
    kinds = []
    client.chat.stream_chat(streaming('sandbox/echo')) { |event| kinds << event.class }
    assert_equal [Switchyard::ChatStartEvent, Switchyard::ChatEndEvent], [kinds.first, kinds.last]
    events = client.chat.stream_chat(streaming('sandbox/echo')).to_a
    assert_equal 'Hello', events.grep(Switchyard::ChatDeltaEvent).map(&:content).join
    assert_equal 1, events.grep(Switchyard::ChatEndEvent).size
  end

  it 'raises an error event, once' do
    events = []
    error = assert_raises(Switchyard::Error) do
      client.chat.stream_chat(streaming('sandbox/cut-stream')) { |event| events << event }
    end
    assert_equal Switchyard::ErrorCode::PROVIDER_STREAM_INTERRUPTED, error.error.code
    assert_operator events.size, :>, 1
  end

  it 'raises a stream that breaks off' do
    events = []
    assert_raises(Switchyard::StreamInterruptedError) do
      cut.chat.stream_chat(streaming('sandbox')) { |event| events << event }
    end
    assert_equal 3, events.size
  end

  it 'lets a stream be left, and its reader fail' do
    first = client.chat.stream_chat(streaming('sandbox/slow')).first
    assert_instance_of Switchyard::ChatStartEvent, first
    assert_raises(Errno::ENOENT) do
      client.chat.stream_chat(streaming('sandbox')) { raise Errno::ENOENT }
    end
  end

  it 'gives a silent server up' do
    hasty = Switchyard::Client.new(base_url: base_url, timeout: 0.1, max_retries: 0)
    assert_raises(Switchyard::ConnectionError) { hasty.chat.create_chat(asking('sandbox/slow')) }
  end

  it 'goes on with a build after the last event' do
    whole = client.jobs.stream_factory_job_events(job_id).to_a
    assert_instance_of Switchyard::JobSucceededEvent, whole.last
    parts = []
    begin
      cut.jobs.stream_factory_job_events(job_id, after: parts.size) { |event| parts << event }
    rescue Switchyard::StreamInterruptedError => e
      assert_equal parts.size, e.after
      retry if parts.size < whole.size
    end
    assert_equal whole.map(&:seq), parts.map(&:seq)
  end

  it 'builds from a plan and revises what was built' do
    done = lambda do |job|
      last = client.jobs.stream_factory_job_events(job.id).to_a.last
      assert_instance_of Switchyard::JobSucceededEvent, last
      last.job
    end
    revise = lambda do |job, **change|
      done.call(client.jobs.create_factory_revision(job.id, Switchyard::RevisionRequest.new(**change)))
    end
    build = ->(spec) { done.call(client.jobs.create_factory_job(Switchyard::JobRequest.new(spec: spec))) }
    plan = client.jobs.create_factory_plan(Switchyard::PlanRequest.new(prompt: 'a list of books'))
    first = build.call(plan.spec)
    # The same spec gives the same bytes, if nothing of it is lost on its way through the library.
    assert_equal first.artifact.sha256, build.call(first.plan.spec).artifact.sha256
    patched = revise.call(first, patch: { name: 'Shelf', tagline: nil })
    diff = client.jobs.get_factory_job_diff(patched.id)
    assert_equal [1, 'name', 'Shelf'], [diff.from.number, diff.spec.first.path, diff.spec.first.after]
    late = assert_raises(Switchyard::Error) { revise.call(first, instruction: 'call it Stack') }
    assert_equal Switchyard::ErrorCode::CONFLICT, late.error.code
    restored = revise.call(patched, restore: 1)
    assert_equal [3, 1, first.title],
                 [restored.revision.number, restored.revision.change.restored, restored.title]
  end

  it 'raises typed errors' do
    error = assert_raises(Switchyard::InvalidRequestError) do
      client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: 'Hello', temperature: 3))
    end
    assert_equal [400, 'temperature'], [error.status, error.error.param]
    assert_raises(Switchyard::AuthenticationError) do
      Switchyard::Client.new(api_key: 'wrong', base_url: base_url).models.list_models
    end
    assert_raises(Switchyard::NotFoundError) { client.usage.get_request('req_none') }
    assert_raises(Switchyard::NotFoundError) do
      client.jobs.stream_factory_job_events('job_00000000000000000000000000').first
    end
    assert_raises(Switchyard::ConnectionError) do
      Switchyard::Client.new(base_url: 'http://127.0.0.1:9', max_retries: 0).models.list_models
    end
  end

  it 'raises a spent limit' do
    key = ENV.fetch('SWITCHYARD_LIMITED_API_KEY')
    limited = Switchyard::Client.new(api_key: key, base_url: base_url, max_retries: 0)
    limited.chat.create_chat(asking('sandbox'))
    error = assert_raises(Switchyard::RateLimitError) { limited.chat.create_chat(asking('sandbox')) }
    assert_operator error.retry_after, :>, 0
  end

  it 'retries what is worth it, and nothing else' do
    sent = []
    trace = TracePoint.new(:call) { |point| sent << point.self if point.method_id == :begin_transport }
    trace.enable(target: Net::HTTP.instance_method(:begin_transport)) do
      assert_raises(Switchyard::ServerError) { client.chat.create_chat(asking('sandbox/error')) }
      assert_equal 3, sent.size
      assert_raises(Switchyard::InvalidRequestError) do
        client.chat.create_chat(Switchyard::ChatMessageRequest.new(message: ''))
      end
      assert_equal 4, sent.size
    end
  end
end
