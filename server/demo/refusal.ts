interface Detail {
  type?: string
  param?: string
  code?: string
  headers?: Record<string, string>
}

/**
 * A refusal of the simulated upstream, in OpenAI's error shape. It plays a foreign API that happens to run in this
 * process, so it is not a `GatewayError`: the gateway must read it off the wire like any other upstream's.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly headers: Record<string, string>
  readonly body: string

  constructor(
    readonly status: number,
    message: string,
    { type = 'invalid_request_error', param, code, headers = {} }: Detail = {},
  ) {
    super(message)
    this.headers = headers
    this.body = JSON.stringify({ error: { message, type, param: param ?? null, code: code ?? null } })
  }
}
