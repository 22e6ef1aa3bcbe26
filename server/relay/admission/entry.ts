import type { DialectName, Operation } from '../../../core/channels/operations.ts'

/** What a route says of its requests. */
export interface Entry {
  readonly operation: Operation
  /** The format of the request and of every answer, errors included. */
  readonly dialect: DialectName
  /** Where the path names the model, and not the body. */
  readonly model?: string
  /** Where the path names the model of a body that names none. */
  readonly modelIfNone?: string
  /** Where the path says whether the reply is a stream. */
  readonly stream?: boolean
  /** Turns the body of a route with a format of its own into that of its operation, and the reply back. */
  readonly translate?: {
    request(body: Readonly<Record<string, unknown>>): Record<string, unknown>
    reply(body: Readonly<Record<string, unknown>>): Record<string, unknown>
  }
}
