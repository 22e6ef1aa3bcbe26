/** One event of an upstream's stream, however it is framed. */
export interface StreamEvent {
  /** As it arrived, with its framing. */
  readonly bytes: Buffer
  /** The payload as text; of a binary frame, its JSON. */
  readonly data: string
  /** The payload; undefined when it is no JSON object. */
  readonly chunk: Record<string, unknown> | undefined
  /** `[DONE]`. */
  readonly done: boolean
  /** The `event:` line of a server-sent event, or the type of a binary frame; '' without one. */
  readonly name: string
  /** The event before it that has the same bytes but for its text. Absent: none is known. */
  repeats?: StreamEvent | undefined
}
