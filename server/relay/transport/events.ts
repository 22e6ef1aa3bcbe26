/** One event of an upstream's stream, in any framing. */
export interface StreamEvent {
  /** The received bytes, including their framing. */
  readonly bytes: Buffer
  /** The payload as a string. For a binary frame, the JSON in the frame. */
  readonly data: string
  /** The parsed payload. Undefined if the payload is not a JSON object. */
  readonly payload: Record<string, unknown> | undefined
  /** Whether the payload is `[DONE]`, which ends chat completions. */
  readonly done: boolean
  /** The `event:` line of a server-sent event, or the type of a binary frame. '' if there is none. */
  readonly name: string
  /** An earlier event that differs from this event only in its text, if known. */
  readonly repeats?: StreamEvent | undefined
  /**
   * Returns the first event, and the others, if any. Present only if this object stands for events that repeat the same
   * event.
   */
  split?(): [StreamEvent, StreamEvent | undefined]
}
