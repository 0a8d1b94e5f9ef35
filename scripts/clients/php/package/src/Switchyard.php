<?php

namespace Switchyard;

use GuzzleHttp\Client;
use GuzzleHttp\ClientInterface;
use Switchyard\Api\AdminApi;
use Switchyard\Api\AgentsApi;
use Switchyard\Api\AIFeaturesApi;
use Switchyard\Api\ChatApi;
use Switchyard\Api\FactoryApi;
use Switchyard\Api\FactoryJobsApi;
use Switchyard\Api\HealthApi;
use Switchyard\Api\ModelsApi;
use Switchyard\Api\PublicDemoApi;
use Switchyard\Api\UsageApi;

/** The client: one property for each part of the interface, and in it one method for each operation. */
final class Switchyard
{
    public readonly ChatApi $chat;
    public readonly ModelsApi $models;
    public readonly AgentsApi $agents;
    public readonly AIFeaturesApi $features;
    public readonly UsageApi $usage;
    public readonly FactoryApi $factory;
    public readonly PublicDemoApi $demo;
    public readonly FactoryJobsApi $jobs;
    /** With the administrator's password in place of a key. */
    public readonly AdminApi $admin;
    public readonly HealthApi $health;

    /**
     * @param string|null $apiKey by default the environment variable SWITCHYARD_API_KEY
     * @param string $baseUrl where the server is reached
     * @param int $maxRetries how often a request is repeated after an error that is worth it, 0 for never
     * @param float $timeout seconds that a call may take; of a stream or a file, the longest silence
     * @param array<string, string> $headers headers of every request
     * @param ClientInterface|null $client what sends the requests, with a proxy or a handler of yours
     */
    public function __construct(
        ?string $apiKey = null,
        string $baseUrl = 'http://127.0.0.1:8080',
        int $maxRetries = 2,
        float $timeout = 300,
        array $headers = [],
        ?ClientInterface $client = null,
    ) {
        $key = $apiKey ?? (getenv('SWITCHYARD_API_KEY') ?: null);
        $caller = new Caller($client ?? new Client(), $baseUrl, $key, $maxRetries, $timeout, $headers);
        $this->chat = new ChatApi($caller);
        $this->models = new ModelsApi($caller);
        $this->agents = new AgentsApi($caller);
        $this->features = new AIFeaturesApi($caller);
        $this->usage = new UsageApi($caller);
        $this->factory = new FactoryApi($caller);
        $this->demo = new PublicDemoApi($caller);
        $this->jobs = new FactoryJobsApi($caller);
        $this->admin = new AdminApi($caller);
        $this->health = new HealthApi($caller);
    }
}
