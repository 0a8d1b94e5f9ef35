module Switchyard
  # The client: one attribute for each part of the interface, and in it one method for each operation. Several threads may use
  # it at once.
  class Client
    attr_reader :chat, :models, :agents, :features, :usage, :factory, :demo, :jobs, :health

    # With the administrator's password in place of a key.
    attr_reader :admin

    # @param api_key [String] by default the environment variable SWITCHYARD_API_KEY
    # @param base_url [String] where the server is reached
    # @param max_retries [Integer] how often a request is repeated after an error that is worth it, 0 for never
    # @param timeout [Numeric] the longest silence of the server in seconds, before its reply and within it
    # @param headers [Hash{String => String}] headers of every request
    # @param proxy [String, nil] address of a proxy; by default that of the environment
    def initialize(api_key: ENV.fetch('SWITCHYARD_API_KEY', nil), base_url: 'http://127.0.0.1:8080', max_retries: 2,
                   timeout: 300, headers: {}, proxy: nil)
      caller = Caller.new(base_url: base_url, api_key: api_key, max_retries: max_retries, timeout: timeout,
                          headers: headers, proxy: proxy)
      @chat = ChatApi.new(caller)
      @models = ModelsApi.new(caller)
      @agents = AgentsApi.new(caller)
      @features = AIFeaturesApi.new(caller)
      @usage = UsageApi.new(caller)
      @factory = FactoryApi.new(caller)
      @demo = PublicDemoApi.new(caller)
      @jobs = FactoryJobsApi.new(caller)
      @admin = AdminApi.new(caller)
      @health = HealthApi.new(caller)
    end
  end
end
