//go:build ignore

// The samples of the documentation. Each is printed after `start` as a whole program, and run as it is printed.
package samples

func start() {
	// sample start
	client := switchyard.New(os.Getenv("SWITCHYARD_API_KEY"), switchyard.Options{
		BaseURL: os.Getenv("SWITCHYARD_BASE_URL"),
	})
	ctx := context.Background()
	// end
}

func chat() {
	// sample createChat: A conversation (variant A)
	answer, err := client.CreateChat(ctx, switchyard.ChatRequest{Value: switchyard.ChatMessagesRequest{
		Model: "sandbox",
		Messages: []switchyard.ChatMessage{
			{Role: "system", Content: switchyard.Ptr("You answer in one sentence.")},
			{Role: "user", Content: switchyard.Ptr("Why is the sky blue?")},
		},
		Temperature: switchyard.Ptr(0.7),
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Content, answer.Usage.TotalTokens)
	// end
	// sample createChat: A single message (variant B)
	reply, err := client.CreateChat(ctx, switchyard.ChatRequest{Value: switchyard.ChatMessageRequest{
		Message: "Why is the sky blue?",
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Content)
	// end
	// sample createEstimate
	estimate, err := client.CreateEstimate(ctx, switchyard.ChatRequest{Value: switchyard.ChatMessageRequest{
		Message: "Why is the sky blue?",
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(estimate.Refused, estimate.Targets[0].Model, estimate.Tokens.Prompt)
	// end
	// sample createChatAlias
	answer, err := client.CreateChatAlias(ctx, switchyard.ChatRequest{Value: switchyard.ChatMessageRequest{
		Message: "Why is the sky blue?",
	}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Content)
	// end
	// sample streamChat
	body := switchyard.ChatStreamRequest{Value: switchyard.ChatMessageStreamRequest{
		Message: "Why is the sky blue?",
	}}
	for event, err := range client.StreamChat(ctx, body) {
		if err != nil {
			log.Fatal(err)
		}
		switch event := event.Value.(type) {
		case *switchyard.ChatDeltaEvent:
			fmt.Print(event.Content)
		case *switchyard.ChatEndEvent:
			fmt.Println("\n", event.Usage.TotalTokens, "tokens")
		}
	}
	// end
}

func models() {
	// sample listModels
	models, err := client.ListModels(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, model := range models.Data {
		fmt.Println(model.Id, model.Provider)
	}
	// end
}

func usage() {
	// sample getUsage
	usage, err := client.GetUsage(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(usage.Plan, usage.Total.Requests)
	// end
	// sample exportUsage
	csv, err := client.ExportUsage(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*csv)
	// end
	// sample listOwnBudgets
	budgets, err := client.ListOwnBudgets(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, budget := range budgets.Data {
		fmt.Println(budget.Label, budget.State.Used, budget.Limit)
	}
	// end
	// sample listRequests
	page, err := client.ListRequests(ctx, &switchyard.ListRequestsOptions{Limit: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, request := range page.Data {
		fmt.Println(request.RequestId, request.Status)
	}
	// end
	// sample getRequest
	page, err := client.ListRequests(ctx, &switchyard.ListRequestsOptions{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	request, err := client.GetRequest(ctx, page.Data[0].RequestId)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(request.Status, len(request.Attempts))
	// end
}

func features() {
	// sample listFeatures
	features, err := client.ListFeatures(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, feature := range features.Data {
		fmt.Println(feature.Id, feature.Availability)
	}
	// end
	// sample useFeature
	result, err := client.UseFeature(ctx, "keywords", switchyard.AiCall{
		Input: map[string]any{"text": "Solar panels turn sunlight into electricity.", "limit": 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output)
	// end
	// sample streamFeature
	body := switchyard.AiStreamCall{
		Input:  map[string]any{"text": "Solar panels turn sunlight into electricity. They have no moving parts."},
		Engine: switchyard.Ptr(switchyard.AiEngineLocal),
	}
	for event, err := range client.StreamFeature(ctx, "summarize", body) {
		if err != nil {
			log.Fatal(err)
		}
		if end, ok := event.Value.(*switchyard.AiEndEvent); ok {
			fmt.Println(end.Output)
		}
	}
	// end
	// sample classify
	result, err := client.Classify(ctx, switchyard.ClassifyCall{
		Input: switchyard.ClassifyInput{
			Text:   "My parcel has not arrived.",
			Labels: []switchyard.ClassifyInputLabelsItem{{Name: "delivery"}, {Name: "payment"}},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Labels, result.Output.Reason)
	// end
	// sample extract
	result, err := client.Extract(ctx, switchyard.ExtractCall{
		Input: switchyard.ExtractInput{
			Text: "Ada Lovelace, born in 1815",
			Schema: map[string]any{
				"type":       "object",
				"properties": map[string]any{"name": map[string]any{"type": "string"}},
			},
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Data)
	// end
	// sample moderate
	result, err := client.Moderate(ctx, switchyard.ModerateCall{
		Input: switchyard.ModerateInput{Text: "Have a nice day."},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Flagged)
	// end
	// sample rewrite
	result, err := client.Rewrite(ctx, switchyard.RewriteCall{
		Input: switchyard.RewriteInput{Text: "Send it now.", Tone: "friendly"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Text)
	// end
	// sample translate
	result, err := client.Translate(ctx, switchyard.TranslateCall{
		Input: switchyard.TranslateInput{Text: "Good morning", To: "de"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Translation)
	// end
	// sample compare
	result, err := client.Compare(ctx, switchyard.CompareCall{
		Input: switchyard.CompareInput{A: "Solar panels make power.", B: "Solar panels make electric power."},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Similarity, result.Output.Verdict)
	// end
	// sample detectLanguage
	result, err := client.DetectLanguage(ctx, switchyard.DetectLanguageCall{
		Input: switchyard.DetectLanguageInput{Text: "Sonnenkollektoren machen aus Licht elektrischen Strom."},
	})
	if err != nil {
		log.Fatal(err)
	}
	if language := result.Output.Language; language != nil {
		fmt.Println(*language)
	}
	// end
	// sample keywords
	result, err := client.Keywords(ctx, switchyard.KeywordsCall{
		Input: switchyard.KeywordsInput{
			Text:  "Solar panels turn sunlight into electricity.",
			Limit: switchyard.Ptr(int64(2)),
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, keyword := range result.Output.Keywords {
		fmt.Println(keyword.Keyword, keyword.Score)
	}
	// end
	// sample sentiment
	result, err := client.Sentiment(ctx, switchyard.SentimentCall{
		Input: switchyard.SentimentInput{Text: "The new panels work wonderfully."},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Sentiment, result.Output.Score)
	// end
	// sample summarize
	result, err := client.Summarize(ctx, switchyard.SummarizeCall{
		Input:  switchyard.SummarizeInput{Text: "Solar panels turn sunlight into electricity. They have no moving parts."},
		Engine: switchyard.Ptr("local"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Output.Summary)
	// end
}

func agents() {
	// sample listAgents
	agents, err := client.ListAgents(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, agent := range agents.Data {
		fmt.Println(agent.Id, agent.Name)
	}
	// end
	// sample getAgent
	agent, err := client.GetAgent(ctx, "assistant")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(agent.Name, len(agent.Tools))
	// end
	// sample runAgent
	run, err := client.RunAgent(ctx, "assistant", switchyard.AgentRunRequest{
		Input: switchyard.AgentRunRequestInput{Value: "What is 17 * 23?"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status)
	if run.Output != nil {
		fmt.Println(*run.Output)
	}
	// end
	// sample runAssistant
	run, err := client.RunAssistant(ctx, switchyard.TextRunRequest{
		Input: switchyard.TextRunRequestInput{Value: "What is 17 * 23?"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status)
	// end
	// sample runAppBuilder
	run, err := client.RunAppBuilder(ctx, switchyard.TextRunRequest{
		Input: switchyard.TextRunRequestInput{Value: "Build a to-do list for a family"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status)
	// end
	// sample runAnalyst
	run, err := client.RunAnalyst(ctx, switchyard.TextRunRequest{
		Input: switchyard.TextRunRequestInput{Value: "What is the mean of 3, 5 and 10?"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status)
	// end
	// sample streamAgentRun
	body := switchyard.AgentStreamRequest{
		Input: switchyard.AgentRunRequestInput{Value: "What is 17 * 23?"},
	}
	for event, err := range client.StreamAgentRun(ctx, "assistant", body) {
		if err != nil {
			log.Fatal(err)
		}
		switch event := event.Value.(type) {
		case *switchyard.RunDeltaEvent:
			fmt.Print(event.Content)
		case *switchyard.RunEndEvent:
			fmt.Println("\n", event.Run.Status)
		}
	}
	// end
	// sample listAgentRuns
	runs, err := client.ListAgentRuns(ctx, "assistant", &switchyard.ListAgentRunsOptions{Limit: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, run := range runs.Data {
		fmt.Println(run.Id, run.Status)
	}
	// end
	// sample getAgentRun
	runs, err := client.ListAgentRuns(ctx, "assistant", &switchyard.ListAgentRunsOptions{Limit: 1})
	if err != nil {
		log.Fatal(err)
	}
	run, err := client.GetAgentRun(ctx, "assistant", runs.Data[0].Id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status, len(run.Steps))
	// end
	// sample streamAgentRunEvents
	run, err := client.RunAgent(ctx, "assistant", switchyard.AgentRunRequest{
		Input:      switchyard.AgentRunRequestInput{Value: "What is 17 * 23?"},
		Background: switchyard.Ptr(true),
	})
	if err != nil {
		log.Fatal(err)
	}
	var after int64
	for {
		var broken *switchyard.StreamInterruptedError
		options := &switchyard.StreamAgentRunEventsOptions{After: after}
		for event, err := range client.StreamAgentRunEvents(ctx, "assistant", run.Id, options) {
			if errors.As(err, &broken) {
				break
			} else if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%T\n", event.Value)
		}
		if broken == nil {
			break
		}
		after = max(after, broken.After) // goes on after the last event that arrived
	}
	// end
	// sample cancelAgentRun
	run, err := client.RunAgent(ctx, "assistant", switchyard.AgentRunRequest{
		Input:      switchyard.AgentRunRequestInput{Value: "What is 17 * 23?"},
		Background: switchyard.Ptr(true),
	})
	if err != nil {
		log.Fatal(err)
	}
	cancelled, err := client.CancelAgentRun(ctx, "assistant", run.Id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cancelled.Status)
	// end
}

func factory() {
	// sample getManifest
	manifest, err := client.GetManifest(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(manifest.Name, manifest.Version, len(manifest.Operations))
	// end
	// sample getOpenApi
	contract, err := client.GetOpenApi(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(contract.Openapi, contract.Info.Title, len(contract.Paths))
	// end
	// sample getOpenApiJson
	contract, err := client.GetOpenApiJson(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(contract.Openapi, contract.Info.Version)
	// end
	// sample getOpenApi30Json
	contract, err := client.GetOpenApi30Json(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(contract.Openapi, contract.Info.Version)
	// end
	// sample getOpenApi32Json
	contract, err := client.GetOpenApi32Json(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(contract.Openapi, contract.Info.Version)
	// end
	// sample getOpenApiYaml
	file, err := client.GetOpenApiYaml(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(text), "bytes")
	// end
	// sample getPostmanCollection
	collection, err := client.GetPostmanCollection(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(collection.Info.Name, len(collection.Item))
	// end
	// sample getPostmanEnvironment
	environment, err := client.GetPostmanEnvironment(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(environment.Name, len(environment.Values))
	// end
	// sample getFactoryStatus
	status, err := client.GetFactoryStatus(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(status.Status, status.Version)
	// end
	// sample signUp
	receipt, err := client.SignUp(ctx, switchyard.SignupRequest{
		Email:   "ada@analytical.example",
		OrgName: "Analytical Engines",
		Tier:    switchyard.PlanNamePro,
	})
	var missing *switchyard.NotFoundError
	if errors.As(err, &missing) {
		fmt.Println("this server takes no sign-ups:", missing.Code)
	} else if err != nil {
		log.Fatal(err)
	} else {
		fmt.Println(receipt.Status)
	}
	// end
}

func demo() {
	// sample listPublicTemplates
	templates, err := client.ListPublicTemplates(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, template := range templates.Data {
		fmt.Println(template.Id, template.Name)
	}
	// end
	// sample createPublicPlan
	plan, err := client.CreatePublicPlan(ctx, switchyard.PlanRequest{
		Prompt: switchyard.Ptr("A reading list where I can rate books"),
	})
	if err != nil {
		log.Fatal(err)
	}
	if entity := plan.Spec.Entity; entity != nil {
		for _, field := range entity.Fields {
			fmt.Println(field.Label, field.Type)
		}
	}
	fmt.Println("not taken up:", plan.NotTakenUp)
	// end
	// sample createPublicDemo
	body := switchyard.DemoRequest{Prompt: switchyard.Ptr("A to-do list for a family")}
	for event, err := range client.CreatePublicDemo(ctx, body) {
		if err != nil {
			log.Fatal(err)
		}
		switch event := event.Value.(type) {
		case *switchyard.FileCompletedEvent:
			fmt.Println(event.Path, event.Bytes)
		case *switchyard.JobSucceededEvent:
			fmt.Println(event.Job.Preview.Url)
		case *switchyard.JobFailedEvent:
			fmt.Println(event.Message)
		}
	}
	// end
	// sample getPublicDemo
	job, err := client.GetPublicDemo(ctx, os.Getenv("DEMO_JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Status)
	for _, file := range job.Files {
		fmt.Println(file.Path, file.Bytes)
	}
	// end
	// sample streamPublicDemoEvents
	options := &switchyard.StreamPublicDemoEventsOptions{After: 5} // the number of the last event that is known
	for event, err := range client.StreamPublicDemoEvents(ctx, os.Getenv("DEMO_JOB_ID"), options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T\n", event.Value)
	}
	// end
	// sample getPublicDemoArtifact
	zip, err := client.GetPublicDemoArtifact(ctx, os.Getenv("DEMO_JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	defer zip.Close()
	file, err := os.Create("app.zip")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	size, err := io.Copy(file, zip)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(zip.Name, size)
	// end
	// sample listPublicDemoFiles
	files, err := client.ListPublicDemoFiles(ctx, os.Getenv("DEMO_JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files.Data {
		fmt.Println(file.Path, file.Bytes)
		if file.Path == "README.md" {
			fmt.Println(file.Text)
		}
	}
	// end
	// sample createPublicDemoRevision
	body := switchyard.RevisionRequest{Spec: &switchyard.AppSpec{
		Name:    switchyard.Ptr("Shelf"),
		Palette: &switchyard.AppPalette{Accent: switchyard.Ptr("#2f7d4f")},
	}}
	for event, err := range client.CreatePublicDemoRevision(ctx, os.Getenv("DEMO_JOB_ID"), body) {
		if err != nil {
			log.Fatal(err)
		}
		switch event := event.Value.(type) {
		case *switchyard.JobSucceededEvent:
			fmt.Println(event.Job.Revision.Number, event.Job.Preview.Url)
		case *switchyard.JobFailedEvent:
			fmt.Println(event.Message)
		}
	}
	// end
	// sample listPublicDemoRevisions
	revisions, err := client.ListPublicDemoRevisions(ctx, os.Getenv("DEMO_JOB_ID"), &switchyard.ListPublicDemoRevisionsOptions{Limit: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range revisions.Data {
		fmt.Println(job.Revision.Number, job.Revision.Change.Type, job.Status)
	}
	// end
	// sample getNewestPublicDemo
	job, err := client.GetNewestPublicDemo(ctx, os.Getenv("DEMO_JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Revision.Number, job.Id)
	if job.Preview != nil {
		fmt.Println(job.Preview.Url)
	}
	// end
	// sample getPublicDemoDiff
	newest, err := client.GetNewestPublicDemo(ctx, os.Getenv("DEMO_JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	// With the number of a revision it is compared with that one, without options with the one that it was made from.
	options := &switchyard.GetPublicDemoDiffOptions{Against: "1"}
	diff, err := client.GetPublicDemoDiff(ctx, newest.Id, options)
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range diff.Spec {
		fmt.Println(change.Path, change.Before, change.After)
	}
	for _, file := range diff.Files {
		if file.Diff != nil {
			fmt.Println(*file.Diff)
		}
	}
	// end
}

func jobs() {
	// sample createFactoryJob
	job, err := client.CreateFactoryJob(ctx, switchyard.JobRequest{Prompt: switchyard.Ptr("A to-do list for a family")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Id, job.Status)
	// end
	// sample createFactoryPlan
	plan, err := client.CreateFactoryPlan(ctx, switchyard.PlanRequest{
		Prompt: switchyard.Ptr("A reading list where I can rate books"),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("not taken up:", plan.NotTakenUp)
	plan.Spec.Name = switchyard.Ptr("Shelf") // a plan can be corrected before it is built
	job, err := client.CreateFactoryJob(ctx, switchyard.JobRequest{Spec: &plan.Spec})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Id, job.Status)
	// end
	// sample listFactoryJobs
	jobs, err := client.ListFactoryJobs(ctx, &switchyard.ListFactoryJobsOptions{Limit: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range jobs.Data {
		fmt.Println(job.Id, job.Status)
	}
	// end
	// sample getFactoryJob
	job, err := client.GetFactoryJob(ctx, os.Getenv("JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Status)
	for _, file := range job.Files {
		fmt.Println(file.Path, file.Bytes)
	}
	// end
	// sample streamFactoryJobEvents
	job, err := client.CreateFactoryJob(ctx, switchyard.JobRequest{Prompt: switchyard.Ptr("A to-do list for a family")})
	if err != nil {
		log.Fatal(err)
	}
	var after int64
	for {
		var broken *switchyard.StreamInterruptedError
		options := &switchyard.StreamFactoryJobEventsOptions{After: after}
		for event, err := range client.StreamFactoryJobEvents(ctx, job.Id, options) {
			if errors.As(err, &broken) {
				break
			} else if err != nil {
				log.Fatal(err)
			}
			if file, ok := event.Value.(*switchyard.FileCompletedEvent); ok {
				fmt.Println(file.Path, file.Bytes)
			}
		}
		if broken == nil {
			break
		}
		after = max(after, broken.After) // goes on after the last event that arrived
	}
	// end
	// sample getFactoryJobArtifact
	zip, err := client.GetFactoryJobArtifact(ctx, os.Getenv("JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	defer zip.Close()
	file, err := os.Create("app.zip")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	size, err := io.Copy(file, zip)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(zip.Name, size)
	// end
	// sample listFactoryJobFiles
	files, err := client.ListFactoryJobFiles(ctx, os.Getenv("JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files.Data {
		fmt.Println(file.Path, file.Bytes)
		if file.Path == "README.md" {
			fmt.Println(file.Text)
		}
	}
	// end
	// sample createFactoryRevision
	job, err := client.CreateFactoryRevision(ctx, os.Getenv("JOB_ID"), switchyard.RevisionRequest{
		Instruction: switchyard.Ptr("call it Shelf and make it green"),
	})
	if err != nil {
		log.Fatal(err)
	}
	for event, err := range client.StreamFactoryJobEvents(ctx, job.Id, nil) {
		if err != nil {
			log.Fatal(err)
		}
		if end, ok := event.Value.(*switchyard.JobSucceededEvent); ok {
			fmt.Println(end.Job.Revision.Number, end.Job.Revision.Understood)
		}
	}
	// end
	// sample listFactoryRevisions
	revisions, err := client.ListFactoryRevisions(ctx, os.Getenv("JOB_ID"), &switchyard.ListFactoryRevisionsOptions{Limit: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, job := range revisions.Data {
		fmt.Println(job.Revision.Number, job.Revision.Change.Type, job.Status)
	}
	// end
	// sample getNewestFactoryJob
	job, err := client.GetNewestFactoryJob(ctx, os.Getenv("JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(job.Revision.Number, job.Id)
	if job.Preview != nil {
		fmt.Println(job.Preview.Url)
	}
	// end
	// sample getFactoryJobDiff
	newest, err := client.GetNewestFactoryJob(ctx, os.Getenv("JOB_ID"))
	if err != nil {
		log.Fatal(err)
	}
	// With the number of a revision it is compared with that one, without options with the one that it was made from.
	options := &switchyard.GetFactoryJobDiffOptions{Against: "1"}
	diff, err := client.GetFactoryJobDiff(ctx, newest.Id, options)
	if err != nil {
		log.Fatal(err)
	}
	for _, change := range diff.Spec {
		fmt.Println(change.Path, change.Before, change.After)
	}
	for _, file := range diff.Files {
		if file.Diff != nil {
			fmt.Println(*file.Diff)
		}
	}
	// end
	// sample cancelFactoryJob
	job, err := client.CreateFactoryJob(ctx, switchyard.JobRequest{Prompt: switchyard.Ptr("A to-do list for a family")})
	if err != nil {
		log.Fatal(err)
	}
	cancelled, err := client.CancelFactoryJob(ctx, job.Id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cancelled.Status)
	// end
}

func failures() {
	// sample errors
	_, err := client.CreateChat(ctx, switchyard.ChatRequest{Value: switchyard.ChatMessageRequest{
		Message: "Hello", Temperature: switchyard.Ptr(3.0),
	}})
	var limited *switchyard.RateLimitError
	var failed *switchyard.APIError
	switch {
	case errors.As(err, &limited):
		fmt.Println("come back in", limited.RetryAfter())
	case errors.As(err, &failed):
		fmt.Println(failed.StatusCode, failed.Code, failed.Message)
	case err != nil:
		log.Fatal(err)
	}
	// end
}
