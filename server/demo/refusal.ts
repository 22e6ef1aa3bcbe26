interface Detail {
  type?: string
  param?: string
  code?: string
  headers?: Record<string, string>
}

/**
 * An error of the simulated upstream, in OpenAI's format. It is not a `GatewayError`, because the gateway must read it
 * from the reply like the error of any upstream.
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
