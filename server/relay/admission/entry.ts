import type { DialectName, Operation } from '../../../core/channels/routing/operations.ts'

/** The properties of a relay route. */
export interface Entry {
  readonly operation: Operation
  /** The format of the request and of every reply, errors included. */
  readonly dialect: DialectName
  /** The model, if the path names it instead of the body. */
  readonly model?: string
  /** The model in the path, for bodies that name none. */
  readonly modelIfNone?: string
  /** Whether the reply is a stream, if the path decides it. */
  readonly stream?: boolean
  /** Converts the body of a route with its own format to the format of its operation, and the reply back. */
  readonly translate?: {
    request(body: Readonly<Record<string, unknown>>): Record<string, unknown>
    reply(body: Readonly<Record<string, unknown>>): Record<string, unknown>
  }
}

/** Returns the model in the path of a request; '' if only the body names it. */
export const modelInPath = ({ model, modelIfNone }: Entry): string => model ?? modelIfNone ?? ''
