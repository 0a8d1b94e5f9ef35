require 'json'
require 'net/http'
require 'openssl'
require 'uri'

module Switchyard
  # A call of an operation of the contract.
  # @api private
  Operation = Struct.new(:credentials, :method, :path, :values, :query, :body) do
    def target
      path.gsub(/\{(\w+)\}/) { URI.encode_www_form_component(values.fetch(Regexp.last_match(1))).gsub('+', '%20') } +
        (query.compact.empty? ? '' : "?#{URI.encode_www_form(query.compact)}")
    end
  end

  # A file.
  # @!attribute name [String, nil] what the server calls it
  # @!attribute content [String] its bytes
  Download = Struct.new(:name, :content) do
    # Writes it to a file and tells how many bytes that were.
    def save(path)
      File.binwrite(path, content)
    end
  end

  # Carries operations out. Raises every error reply as an `Error`.
  # @api private
  class Caller
    # Seconds; longer waits are the caller's to decide.
    LONGEST_WAIT = 60
    FAILURES = [SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, Net::ProtocolError].freeze

    def initialize(base_url:, api_key:, max_retries:, timeout:, headers:, proxy:)
      @base_url = URI(base_url.chomp('/'))
      @api_key = api_key
      @max_retries = max_retries
      @timeout = timeout
      @headers = headers
      @proxy = proxy ? URI(proxy) : :ENV
    end

    # An operation whose reply is JSON, or plain text for a String, or nothing.
    def call(operation, type)
      open(operation, 'application/json, text/plain;q=0.9') do |response|
        text = body_of(response).dup.force_encoding(Encoding::UTF_8)
        next if type.nil?

        type == 'String' ? text : Record.read(type, JSON.parse(text))
      end
    end

    # An operation whose reply is a file.
    def download(operation)
      open(operation, '*/*') do |response|
        Download.new(response['content-disposition'].to_s[/filename="([^"]*)"/, 1], body_of(response))
      end
    end

    # An operation whose reply is a stream of events. Leaving the block closes the connection.
    def stream(operation, type, &block)
      return enum_for(:stream, operation, type) unless block

      open(operation, 'text/event-stream') { |response| EventStream.new(response, type).each(&block) }
      nil
    end

    private

    # Sends a request until it is answered or no retry is worth it. An error reply that says `"retryable": true` is, as long as
    # the server asks to wait (`Retry-After`) or else after 0.5 s, 1 s, 2 s, … with jitter. A reply with
    # `x-should-retry: false` is final. A connection that failed is tried again for GET only, since another request may have
    # been carried out.
    def open(operation, accept, &read)
      attempt = 0
      begin
        answered = false
        attempt(operation, accept) do |response|
          answered = true
          read.call(response)
        end
      rescue Error, ConnectionError => e
        raise if answered

        wait = wait_after(e, operation.method, attempt)
        raise if wait.nil? || attempt >= @max_retries || wait > LONGEST_WAIT

        sleep(wait)
        attempt += 1
        retry
      end
    end

    def attempt(operation, accept)
      reading = false
      connect do |http|
        http.request(request_of(operation, accept)) do |response|
          raise Error.of(response, body_of(response)) unless response.is_a?(Net::HTTPSuccess)

          reading = true
          return yield response
        end
      end
    rescue *FAILURES => e
      # While a reply is read, a failure may be that of a file which the caller writes to.
      raise if reading

      raise ConnectionError, "the server could not be reached or went away: #{e.message}"
    end

    def body_of(response)
      response.read_body.to_s
    rescue *FAILURES => e
      raise ConnectionError, "the reply broke off: #{e.message}"
    end

    def connect(&block)
      proxy = @proxy == :ENV ? [:ENV] : [@proxy.host, @proxy.port, @proxy.user, @proxy.password]
      options = { use_ssl: @base_url.scheme == 'https', open_timeout: @timeout, read_timeout: @timeout, max_retries: 0 }
      Net::HTTP.start(@base_url.host, @base_url.port, *proxy, options, &block)
    end

    def request_of(operation, accept)
      kind = Net::HTTP.const_get(operation.method.capitalize)
      request = kind.new(@base_url.path + operation.target)
      request['Accept'] = accept
      unless operation.body.nil?
        request['Content-Type'] = 'application/json'
        request.body = JSON.generate(operation.body)
      end
      authorize(request, operation.credentials)
      @headers.each { |name, value| request[name] = value }
      request
    end

    def authorize(request, credentials)
      return if credentials.empty? || @api_key.nil?

      if credentials == 'apiKeyAuth'
        request['X-API-Key'] = @api_key
      else
        request['Authorization'] = "Bearer #{@api_key}"
      end
    end

    # Seconds until the next attempt; nil when there is none.
    def wait_after(failure, method, attempt)
      backoff = 0.5 * (2**attempt) * rand(0.75..1.25)
      return (backoff if method == 'GET') unless failure.is_a?(Error)
      return nil if !failure.retryable? || failure.response['x-should-retry'] == 'false'

      failure.retry_after || backoff
    end
  end
end
