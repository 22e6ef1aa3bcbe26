/** One event of an upstream's stream, in any framing. */
export interface StreamEvent {
  /** The bytes as received, with their framing. */
  readonly bytes: Buffer
  /** The payload as text; for a binary frame, its JSON. */
  readonly data: string
  /** The payload; undefined if it is not a JSON object. */
  readonly chunk: Record<string, unknown> | undefined
  /** `[DONE]`. */
  readonly done: boolean
  /** The `event:` line of a server-sent event, or the type of a binary frame; '' if there is none. */
  readonly name: string
  /** An earlier event with the same bytes except for its text; absent if none is known. */
  repeats?: StreamEvent | undefined
}
