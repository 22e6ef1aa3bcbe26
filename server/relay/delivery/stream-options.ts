/** Whether an OpenAI-shaped request wants the usage of a stream for itself, in a chunk of its own. */
export function asksForUsage(body: Readonly<Record<string, unknown>>): boolean {
  return (body.stream_options as { include_usage?: unknown } | null | undefined)?.include_usage === true
}
