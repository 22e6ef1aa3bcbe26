/** Whether an OpenAI-style request asks for the usage of a stream in a separate chunk. */
export function asksForUsage(body: Readonly<Record<string, unknown>>): boolean {
  return (body.stream_options as { include_usage?: unknown } | null | undefined)?.include_usage === true
}
