import type { DialectName, Operation } from '../../../core/channels/routing/operations.ts'

/** The properties of a relay route. */
export interface RelayEntry {
  readonly operation: Operation
  /** The format of the request and of every reply, including errors. */
  readonly dialect: DialectName
  /** The model in the path. It takes precedence over a model in the body. */
  readonly model?: string
  /** The model in the path, used only if the body names no model. */
  readonly modelIfNone?: string
  /** Whether the reply is a stream. Absent if the body decides this. */
  readonly stream?: boolean
  /** Converts the route's body to the format of the operation, and the reply back. Absent for equal formats. */
  readonly translate?: {
    request(body: Readonly<Record<string, unknown>>): Record<string, unknown>
    reply(body: Readonly<Record<string, unknown>>): Record<string, unknown>
  }
}

/** Returns the model in the path of a request, or '' if the path names no model. */
export const modelInPath = ({ model, modelIfNone }: RelayEntry): string => model ?? modelIfNone ?? ''
