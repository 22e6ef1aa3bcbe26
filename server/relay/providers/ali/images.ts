import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import { defined, recordOf } from '../../../../core/records.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, objectsOf, textOf } from '../../json.ts'
import type { Plan, ProviderContext, ProviderRequest } from '../provider.ts'
import { statusOfCode } from './failure.ts'

const JOB_PATH = '/api/v1/services/aigc/text2image/image-synthesis'
const SYNCHRONOUS_PATH = '/api/v1/services/aigc/multimodal-generation/generation'
/** Matches models that reply with the images. All other models reply with the id of a job. */
const SYNCHRONOUS_MODELS = /^(qwen-image|z-image)/

const POLL_INTERVAL_MS = 3000
const JOB_MS_MAX = 120_000
const CALL_TIMEOUT_MS = 10_000

interface AliEndpoint {
  readonly baseUrl: string
  readonly headers: Record<string, string>
}

/** Plans an images request: https://help.aliyun.com/zh/model-studio/text-to-image-v2-api-reference */
export function imagePlan(ask: ProviderRequest, { baseUrl, headers }: AliEndpoint, context: ProviderContext): Plan {
  const isJob = !SYNCHRONOUS_MODELS.test(ask.model)
  const wantsBytes = ask.body.response_format === 'b64_json'
  return {
    request: {
      url: baseUrl + (isJob ? JOB_PATH : SYNCHRONOUS_PATH),
      headers: { ...headers, ...(isJob && { 'x-dashscope-async': 'enable' }) },
      body: JSON.stringify(isJob ? jobBody(ask) : synchronousBody(ask)),
    },
    async complete(first) {
      const reply = isJob ? await pollUntilDone(first, { baseUrl, headers }, context) : first
      return toOpenAiImages(reply, { wantsBytes }, context)
    },
  }
}

function jobBody({ body, model }: ProviderRequest): Json {
  return {
    model,
    input: defined({
      prompt: body.prompt,
      negative_prompt: body.negative_prompt,
      ref_img: body.ref_img,
      ...recordOf(body.input),
    }),
    // The default of newer models is four images.
    parameters: { ...parameters(body), n: body.n ?? 1 },
  }
}

function synchronousBody({ body, model }: ProviderRequest): Json {
  return {
    model,
    input: { messages: [{ role: 'user', content: [{ text: body.prompt }] }] },
    parameters: defined({ negative_prompt: body.negative_prompt, ...parameters(body) }),
  }
}

/**
 * Returns DashScope's own parameters, and OpenAI's parameters that DashScope also has. Throws REQUEST_MALFORMED if the
 * client's `parameters` have `n` or `size`, because the gateway prices only the top-level fields.
 */
function parameters({
  size,
  n,
  style,
  steps,
  scale,
  seed,
  prompt_extend,
  watermark,
  ...body
}: ProviderRequest['body']): Json {
  const vendorParameters = recordOf(body.parameters)
  const pricedField = ['n', 'size'].find((name) => name in vendorParameters)
  if (pricedField) refuse(`parameters.${pricedField}: put ${pricedField} beside prompt, not into parameters`)
  return defined({
    ...vendorParameters,
    size: typeof size === 'string' && size !== 'auto' ? size.replace('x', '*') : undefined,
    n: n ?? undefined,
    // DashScope does not have OpenAI's styles. Its own styles are written in angle brackets.
    style: typeof style === 'string' && style.startsWith('<') ? style : undefined,
    steps,
    scale,
    seed,
    prompt_extend,
    watermark,
  })
}

/** Polls a job until it ends. Returns its last state, `first` if that has no job id, or an error after JOB_MS_MAX. */
async function pollUntilDone(first: Json, { baseUrl, headers }: AliEndpoint, context: ProviderContext): Promise<Json> {
  const id = textOf(recordOf(first.output).task_id)
  if (!id) return first
  const deadline = context.now() + JOB_MS_MAX
  const request = {
    url: `${baseUrl}/api/v1/tasks/${encodeURIComponent(id)}`,
    method: 'GET',
    headers,
    body: null,
  } as const
  let job = first
  while (isRunning(job)) {
    if (context.now() + POLL_INTERVAL_MS > deadline) return errorReply('The pictures were not ready in time', 504)
    await context.sleep(POLL_INTERVAL_MS)
    job = (await pollOnce(request, context)) ?? job
  }
  return job
}

function isRunning({ output }: Json): boolean {
  return ['PENDING', 'RUNNING', 'SUSPENDED'].includes(textOf(recordOf(output).task_status) ?? '')
}

/**
 * Returns the state of a job. Returns undefined if the poll failed and must be repeated, because DashScope charges the
 * job anyway.
 */
async function pollOnce(
  request: Parameters<ProviderContext['call']>[0],
  context: ProviderContext,
): Promise<Json | undefined> {
  const reply = await context.call(request, { timeoutMs: CALL_TIMEOUT_MS }).catch(() => undefined)
  if (!reply || reply.status === 429 || reply.status >= 500) return undefined
  return parseObject(reply.body.toString('utf8')) ?? errorReply('The upstream returned no status of the pictures', 502)
}

/**
 * Returns the successful images in OpenAI's format, even if other images failed. Returns an error if all images failed,
 * or if a download fails.
 */
async function toOpenAiImages(
  reply: Json,
  { wantsBytes }: { wantsBytes: boolean },
  context: ProviderContext,
): Promise<Json> {
  if (reply.error !== undefined) return reply
  const output = recordOf(reply.output)
  const results = [...objectsOf(output.results), ...objectsOf(output.choices).flatMap(imagesIn)]
  const images = results.flatMap(({ url, actual_prompt }) => {
    const address = textOf(url)
    return address ? [{ url: address, revised_prompt: textOf(actual_prompt) }] : []
  })
  if (images.length === 0) return errorFrom([reply, output, ...results])
  const created = Math.floor(context.now() / 1000)
  if (!wantsBytes) return { created, data: images.map(defined) }
  try {
    return { created, data: await Promise.all(images.map((image) => withBytes(image, context))) }
  } catch (error) {
    // Convert this error, because the relay would report it as an error of a URL in the client's request.
    if (!(error instanceof GatewayError)) throw error
    return errorReply(`A picture could not be loaded from the upstream: ${error.params.reason}`, 502)
  }
}

function imagesIn({ message }: Json): Json[] {
  return objectsOf(recordOf(message).content).map(({ image }) => ({ url: image }))
}

async function withBytes(
  { url, revised_prompt }: { url: string; revised_prompt: string | undefined },
  context: Pick<ProviderContext, 'download'>,
): Promise<Json> {
  const { data } = await context.download(url)
  return defined({ b64_json: data.toString('base64'), revised_prompt })
}

function errorFrom(candidates: readonly Json[]): Json {
  const errorSource = candidates.find(({ message }) => textOf(message))
  const code = textOf(errorSource?.code)
  return errorReply(
    textOf(errorSource?.message) ?? 'The upstream returned no picture',
    code ? statusOfCode(code) : 502,
    code,
  )
}

/** Returns an error that the relay detects in a reply with status 200. */
function errorReply(message: string, status: number, type?: string): Json {
  return { error: defined({ message, status, type }) }
}
