module Switchyard
  # An error reply. What it says is in `error`.
  class Error < StandardError
    # @return [Integer] the HTTP status: 200 when a stream had begun before the error
    attr_reader :status

    # @return [ErrorObject, nil] nil when the reply did not come from Switchyard
    attr_reader :error

    # @return [Net::HTTPResponse]
    attr_reader :response

    def initialize(response, body)
      @status = response.code.to_i
      @response = response
      @error = error_in(body)
      super(error ? "#{status} #{error.code}: #{error.message}" : "the server answered #{status} without saying why")
    end

    # Whether the same request may succeed later.
    def retryable?
      error ? error.retryable : status >= 502
    end

    # Seconds to wait before the same request may succeed; nil where the server does not know.
    def retry_after
      response['retry-after']&.to_i
    end

    # The error that a reply stands for.
    # @api private
    def self.of(response, body)
      status = response.code.to_i
      BY_STATUS.fetch(status) { status >= 500 ? ServerError : Error }.new(response, body)
    end

    private

    def error_in(body)
      json = JSON.parse(body)
      json.is_a?(Hash) && json['error'].is_a?(Hash) ? ErrorObject.from(json['error']) : nil
    rescue JSON::ParserError
      nil
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

  BY_STATUS = {
    400 => InvalidRequestError, 401 => AuthenticationError, 403 => PermissionError,
    404 => NotFoundError, 429 => RateLimitError
  }.freeze
  private_constant :BY_STATUS

  # The server could not be reached, went away, or was silent for too long. Its `cause` says which.
  class ConnectionError < StandardError; end

  # A stream ended before its last event: the connection broke, or the server closed it.
  class StreamInterruptedError < StandardError
    # @return [Integer] the number of the last event that arrived, from which a build or a run can be watched on; 0 for none
    attr_reader :after

    def initialize(after)
      @after = after
      super('the stream ended before its last event')
    end
  end
end
