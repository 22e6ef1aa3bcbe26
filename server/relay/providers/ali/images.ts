import { GatewayError } from '../../../../core/errors.ts'
import { arrayOf, defined, type Json, objectOf, objectsOf, parseObject, textOf } from '../../json.ts'
import type { Ask, Means, Plan } from '../provider.ts'
import { statusOfCode } from './failure.ts'

const JOB_PATH = '/api/v1/services/aigc/text2image/image-synthesis'
const AT_ONCE_PATH = '/api/v1/services/aigc/multimodal-generation/generation'
/** Models that answer pictures; all others answer a job. */
const AT_ONCE = /^(qwen-image|z-image)/

const LOOK_EVERY_MS = 3000
const JOB_MS_MAX = 120_000
const CALL_TIMEOUT_MS = 10_000
const PICTURE_TIMEOUT_MS = 60_000
const PICTURE_BYTES_MAX = 64 * 1024 * 1024

export interface Place {
  readonly baseUrl: string
  readonly headers: Record<string, string>
}

/** OpenAI's image request for Wanx and its kin. https://help.aliyun.com/zh/model-studio/text-to-image-v2-api-reference */
export function imagePlan(ask: Ask, { baseUrl, headers }: Place, means: Means): Plan {
  const isJob = !AT_ONCE.test(ask.model)
  const wantsBytes = ask.body.response_format === 'b64_json'
  return {
    request: {
      url: baseUrl + (isJob ? JOB_PATH : AT_ONCE_PATH),
      headers: { ...headers, ...(isJob && { 'x-dashscope-async': 'enable' }) },
      body: JSON.stringify(isJob ? jobBody(ask) : atOnceBody(ask)),
    },
    async follow(first) {
      const reply = isJob ? await finished(first, { baseUrl, headers }, means) : first
      return asImages(reply, { wantsBytes }, means)
    },
  }
}

function jobBody({ body, model }: Ask): Json {
  return {
    model,
    input: defined({
      prompt: body.prompt,
      negative_prompt: body.negative_prompt,
      ref_img: body.ref_img,
      ...objectOf(body.input),
    }),
    // The newer of these models make four when nobody says how many.
    parameters: { ...parameters(body), n: body.n ?? 1 },
  }
}

function atOnceBody({ body, model }: Ask): Json {
  return {
    model,
    input: { messages: [{ role: 'user', content: [{ text: body.prompt }] }] },
    parameters: defined({ negative_prompt: body.negative_prompt, ...parameters(body) }),
  }
}

/**
 * Parameters of the same name here and there, and those that only this vendor has. Throws REQUEST_MALFORMED for those that
 * the price depends on, since it is made of the ones beside.
 */
function parameters({ size, n, style, steps, scale, seed, prompt_extend, watermark, ...body }: Ask['body']): Json {
  const own = objectOf(body.parameters)
  const priced = ['n', 'size'].find((name) => name in own)
  if (priced) {
    const reason = `parameters.${priced}: put ${priced} beside prompt, not into parameters`
    throw new GatewayError('REQUEST_MALFORMED', { reason })
  }
  return defined({
    ...own,
    size: typeof size === 'string' && size !== 'auto' ? size.replace('x', '*') : undefined,
    n: n ?? undefined,
    // OpenAI's styles are others: those known here stand in angle brackets.
    style: typeof style === 'string' && style.startsWith('<') ? style : undefined,
    steps,
    scale,
    seed,
    prompt_extend,
    watermark,
  })
}

/** The job when nothing more will become of it, or an error that says why there is none. */
async function finished(first: Json, { baseUrl, headers }: Place, means: Means): Promise<Json> {
  const id = textOf(objectOf(first.output).task_id)
  if (!id) return first
  const deadline = means.now() + JOB_MS_MAX
  const request = {
    url: `${baseUrl}/api/v1/tasks/${encodeURIComponent(id)}`,
    method: 'GET',
    headers,
    body: null,
  } as const
  let job = first
  while (isRunning(job)) {
    if (means.now() + LOOK_EVERY_MS > deadline) return failed('The pictures were not ready in time', 504)
    await means.sleep(LOOK_EVERY_MS)
    job = (await look(request, means)) ?? job
  }
  return job
}

function isRunning({ output }: Json): boolean {
  return ['PENDING', 'RUNNING', 'SUSPENDED'].includes(textOf(objectOf(output).task_status) ?? '')
}

/** Undefined when nothing could be seen this time: the job runs on meanwhile, and will be paid. */
async function look(request: Parameters<Means['call']>[0], means: Means): Promise<Json | undefined> {
  const answer = await means.call(request, { timeoutMs: CALL_TIMEOUT_MS }).catch(() => undefined)
  if (!answer || answer.status === 429 || answer.status >= 500) return undefined
  return parseObject(answer.body.toString('utf8')) ?? failed('The upstream told nothing about the pictures', 502)
}

/** Some of several pictures may have failed; those that are there are answered. */
async function asImages(reply: Json, { wantsBytes }: { wantsBytes: boolean }, means: Means): Promise<Json> {
  if (reply.error !== undefined) return reply
  const output = objectOf(reply.output)
  const results = [...objectsOf(output.results), ...objectsOf(output.choices).flatMap(picturesOf)]
  const pictures = results.flatMap(({ url, actual_prompt }) => {
    const address = textOf(url)
    return address ? [{ url: address, revised_prompt: textOf(actual_prompt) }] : []
  })
  if (pictures.length === 0) return reasonIn([reply, output, ...results])
  const data = wantsBytes ? await Promise.all(pictures.map((picture) => withBytes(picture, means))) : pictures
  if (data.some((picture) => picture === undefined))
    return failed('A picture could not be loaded from the upstream', 502)
  return { created: Math.floor(means.now() / 1000), data: arrayOf(data).map((picture) => defined(objectOf(picture))) }
}

function picturesOf({ message }: Json): Json[] {
  return objectsOf(objectOf(message).content).map(({ image }) => ({ url: image }))
}

async function withBytes({ url, revised_prompt }: { url: string; revised_prompt: string | undefined }, means: Means) {
  // The address carries its own permission: the key is not for the place where it leads.
  const { status, body } = await means.call(
    { url, method: 'GET', headers: {}, body: null },
    { timeoutMs: PICTURE_TIMEOUT_MS, bytesMax: PICTURE_BYTES_MAX },
  )
  return status === 200 ? { b64_json: body.toString('base64'), revised_prompt } : undefined
}

function reasonIn(places: readonly Json[]): Json {
  const told = places.find(({ message }) => textOf(message))
  const code = textOf(told?.code)
  return failed(textOf(told?.message) ?? 'The upstream made no picture', code ? statusOfCode(code) : 502, code)
}

/** A failure in the shape in which a relay looks for one in a good answer. */
function failed(message: string, status: number, type?: string): Json {
  return { error: defined({ message, status, type }) }
}
