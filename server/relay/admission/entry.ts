import type { DialectName, Operation } from '../../../core/channels/routing/operations.ts'

/** The properties of a relay route. */
export interface Entry {
  readonly operation: Operation
  /** The format of the request and of every reply, including errors. */
  readonly dialect: DialectName
  /** The model in the path, which overrides a model in the body. */
  readonly model?: string
  /** The model in the path that applies only if the body names no model. */
  readonly modelIfNone?: string
  /** Whether the reply is a stream; absent if the body determines it. */
  readonly stream?: boolean
  /** For a route with a format of its own: converts the body to the format of the operation, and the reply back. */
  readonly translate?: {
    request(body: Readonly<Record<string, unknown>>): Record<string, unknown>
    reply(body: Readonly<Record<string, unknown>>): Record<string, unknown>
  }
}

/** Returns the model in the path of a request; '' if only the body names it. */
export const modelInPath = ({ model, modelIfNone }: Entry): string => model ?? modelIfNone ?? ''
