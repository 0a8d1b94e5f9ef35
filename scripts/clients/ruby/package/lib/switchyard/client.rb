require 'json'
require 'uri'

module Switchyard
  # An error reply. What it says is in `error`.
  class Error < ApiError
    # @return [ErrorObject, nil] nil when the reply did not come from Switchyard
    attr_reader :error

    def initialize(code, headers, body, error)
      super(code: code, response_headers: headers, response_body: body)
      @error = error
    end

    def message
      error ? "#{code} #{error.code}: #{error.message}" : "the server answered #{code} without saying why"
    end

    # Whether the same request may succeed later.
    def retryable?
      error ? error.retryable : code >= 502
    end

    # Seconds to wait before the same request may succeed; nil where the server does not know.
    def retry_after
      value = response_headers['retry-after']
      value && Integer(value)
    end
  end

  # 400: a field is wrong, or the model is not known.
  class InvalidRequestError < Error; end

  # 401: the key is missing or invalid.
  class AuthenticationError < Error; end

  # 403: the key lacks the scope that the operation needs.
  class PermissionError < Error; end

  # 404: there is nothing of this id or at this path.
  class NotFoundError < Error; end

  # 429: a limit is reached; `retry_after` says when to come back.
  class RateLimitError < Error; end

  # 5xx: the server or the model provider failed.
  class ServerError < Error; end

  # Sends requests. Raises every error reply as an `Error`. One that says `"retryable": true` is tried again first, as
  # long as the server asks to wait (`Retry-After`) or else after 0.5 s, 1 s, 2 s, … with jitter. A reply with
  # `x-should-retry: false` is final. A connection that failed is tried again for GET only, since another request may
  # have been carried out.
  class RetryingClient < ApiClient
    LONGEST_WAIT_S = 60
    BY_STATUS = {
      400 => InvalidRequestError, 401 => AuthenticationError, 403 => PermissionError,
      404 => NotFoundError, 429 => RateLimitError
    }.freeze

    def initialize(config, max_retries)
      super(config)
      @max_retries = max_retries
    end

    def call_api(http_method, path, opts = {})
      attempt = 0
      begin
        super
      rescue ApiError => e
        failure = typed(e)
        wait = wait_after(failure, http_method, attempt)
        raise failure if wait.nil? || attempt >= @max_retries || wait > LONGEST_WAIT_S

        sleep(wait)
        attempt += 1
        retry
      end
    end

    private

    def typed(failure)
      return failure if failure.code.nil? || failure.code.zero?

      kind = BY_STATUS.fetch(failure.code) { failure.code >= 500 ? ServerError : Error }
      kind.new(failure.code, failure.response_headers, failure.response_body, error_object(failure.response_body))
    end

    def error_object(body)
      ErrorObject.build_from_hash(JSON.parse(body, symbolize_names: true)[:error])
    rescue StandardError
      nil
    end

    # Seconds until the next attempt; nil when there is none.
    def wait_after(failure, http_method, attempt)
      backoff = 0.5 * (2**attempt) * rand(0.75..1.25)
      return (backoff if http_method == :GET) unless failure.is_a?(Error)
      return nil if !failure.retryable? || failure.response_headers['x-should-retry'] == 'false'

      failure.retry_after || backoff
    end
  end

  # The client: one attribute for each part of the interface.
  class Client
    # @param api_key [String] by default the environment variable SWITCHYARD_API_KEY
    # @param base_url [String] where the server is reached
    # @param max_retries [Integer] how often a request is repeated after an error that is worth it, 0 for never
    # @param timeout [Integer] seconds that a call may take
    def initialize(api_key: ENV.fetch('SWITCHYARD_API_KEY', nil), base_url: 'http://127.0.0.1:8080', max_retries: 2,
                   timeout: 300)
      config = Configuration.new
      address = URI(base_url)
      config.scheme = address.scheme
      config.host = "#{address.host}:#{address.port}"
      config.base_path = address.path
      config.server_index = nil
      config.access_token = api_key
      config.timeout = timeout
      @api_client = RetryingClient.new(config, max_retries)
    end

    # @return [ApiClient] for the parts of the interface that have no attribute
    attr_reader :api_client

    def chat
      @chat ||= ChatApi.new(api_client)
    end

    def models
      @models ||= ModelsApi.new(api_client)
    end

    # if useFeature
    def features
      @features ||= AIFeaturesApi.new(api_client)
    end

    # end if
    # if runAgent
    def agents
      @agents ||= AgentsApi.new(api_client)
    end

    # end if
    def usage
      @usage ||= UsageApi.new(api_client)
    end
  end
end
