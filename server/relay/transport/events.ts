/** One event of an upstream's stream, in any framing. */
export interface StreamEvent {
  /** The received bytes, including their framing. */
  readonly bytes: Buffer
  /** The payload as text; for a binary frame, the JSON in it. */
  readonly data: string
  /** The parsed payload; undefined if the payload is not a JSON object. */
  readonly chunk: Record<string, unknown> | undefined
  /** Whether the payload is `[DONE]`, the end marker of chat completions. */
  readonly done: boolean
  /** The `event:` line of a server-sent event, or the type of a binary frame; '' if there is none. */
  readonly name: string
  /** An earlier event that differs from this event only in its text; absent if no such event is known. */
  repeats?: StreamEvent | undefined
}
