require 'json'

module Switchyard
  # The events of a stream as they arrive. The last event of the contract ends them; an error event is raised as an `Error`,
  # and a stream that ends before its last event as a `StreamInterruptedError`.
  # @api private
  class EventStream
    def initialize(response, type)
      @response = response
      @type = type
      @after = 0
    end

    def each
      each_data do |data|
        event = JSON.parse(data)
        raise Error.of(@response, data) if event['type'] == 'error' && event['error']

        @after = event['seq'] || @after
        yield Record.read(@type, event)
        return if event['type'] == 'end' || event['final']
      end
      raise StreamInterruptedError, @after
    end

    private

    # The data of each event (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    def each_data
      data = []
      each_line do |line|
        if line.empty?
          yield data.join("\n") unless data.empty?
          data = []
        elsif line.start_with?('data:')
          data << line.delete_prefix('data:').delete_prefix(' ')
        end
      end
    end

    def each_line
      rest = +''
      each_chunk do |chunk|
        rest << chunk
        while (line = rest.slice!(/\A[^\n]*\n/n))
          yield line.chomp.force_encoding(Encoding::UTF_8)
        end
      end
    end

    # What breaks the connection is told from what the reader of the events raises.
    def each_chunk
      raised = nil
      @response.read_body do |chunk|
        yield chunk
      rescue StandardError => e
        raised = e
        raise
      end
    rescue SystemCallError, IOError, Timeout::Error, Net::ProtocolError
      raise if raised

      raise StreamInterruptedError, @after
    end
  end
end
