import { audioInputTokens, audioOutputTokens, transcriptionTokens } from '../../../core/pricing/audio-tokens.ts'
import type { Usage } from '../../../core/pricing/prices.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { addUsage, plainUsage, plausibleUsage } from '../charging/usage.ts'
import { estimateTokens } from '../counting/estimate.ts'
import { countOf, type Json, numberOf, objectsOf, textOf } from '../json.ts'

/** Prompt tokens of a tool besides those of its texts. */
const TOKENS_PER_TOOL = 8
/** The rate of 16-bit PCM with 24 kHz. */
const PCM_BYTES_PER_SECOND = 2 * 24_000
/** The rate of G.711, the telephone codec. */
const PHONE_BYTES_PER_SECOND = 8000

/** Input and output since the last reported usage, as counted locally. */
interface Unreported {
  promptTexts: string[]
  completionTexts: string[]
  /** Estimates of the tokens in the texts, updated with each text, so that no text is estimated twice. */
  promptEstimate: number
  completionEstimate: number
  /** Prompt tokens besides those of texts and audio. */
  promptTokens: number
  inputSeconds: number
  outputSeconds: number
}

type Count = (texts: readonly string[]) => Promise<number>

/**
 * Meters the events of a realtime session. Each response reports its own usage, in which the prompt is the whole
 * conversation so far. The session's usage is the sum of the reports, plus a local count of input and output after the
 * last report. https://platform.openai.com/docs/api-reference/realtime
 */
export class RealtimeMeter {
  /** Time of the first output in ms since the epoch. */
  firstTokenAt: number | undefined
  private reported = plainUsage(0, 0)
  private unreported = nothingUnreported()
  private tools: Json[] = []
  private endedResponses = 0
  private runningResponses = 0
  private isRequested = false
  private bytesPerSecond = { input: PCM_BYTES_PER_SECOND, output: PCM_BYTES_PER_SECOND }

  /** Whether a response is requested or running, so that its usage is not reported yet. */
  get isResponding(): boolean {
    return this.runningResponses > 0 || this.isRequested
  }

  /** Meters an event of the client. */
  client(event: Json): void {
    if (event.type === 'session.update') this.applySettings(recordOf(event.session))
    else if (event.type === 'input_audio_buffer.append') {
      this.unreported.inputSeconds += secondsIn(event.audio, this.bytesPerSecond.input)
    } else if (event.type === 'response.create') this.isRequested = true
  }

  /** Meters an event of the upstream. */
  server(event: Json): void {
    const type = textOf(event.type) ?? ''
    if (type.startsWith('response.')) this.addResponseEvent(type, event)
    else if (type === 'session.created' || type === 'session.updated') this.applySession(recordOf(event.session))
    // The event `done` is ignored, because newer upstreams send it after `added` for the same item.
    else if (type === 'conversation.item.created' || type === 'conversation.item.added')
      this.addItem(recordOf(event.item))
    else if (type === 'conversation.item.input_audio_transcription.completed')
      this.addTranscription(recordOf(event.usage))
    else if (type === 'error') this.isRequested = false
  }

  /** Returns the usage so far, with estimates of the tokens of unreported texts. */
  estimate(): Usage {
    const { promptEstimate, completionEstimate } = this.unreported
    return this.withCounted(promptEstimate, completionEstimate)
  }

  /** Returns the total usage. `isEstimated` states whether a part of it was counted locally. */
  async total(count: Count): Promise<{ usage: Usage; isEstimated: boolean }> {
    const { promptTexts, completionTexts } = this.unreported
    const [prompt, completion] = await Promise.all([count(promptTexts), count(completionTexts)])
    const usage = this.withCounted(prompt, completion)
    const tokensOf = ({ promptTokens, completionTokens }: Usage) => promptTokens + completionTokens
    return { usage, isEstimated: tokensOf(usage) !== tokensOf(this.reported) }
  }

  private withCounted(promptTexts: number, completionTexts: number): Usage {
    const { promptTokens, inputSeconds, outputSeconds } = this.unreported
    const [inputAudio, outputAudio] = [audioInputTokens(inputSeconds), audioOutputTokens(outputSeconds)]
    return addUsage(this.reported, {
      ...plainUsage(promptTokens + promptTexts + inputAudio, completionTexts + outputAudio),
      audioPromptTokens: inputAudio,
      audioCompletionTokens: outputAudio,
    })
  }

  private applySettings(session: Json): void {
    this.addPromptText(session.instructions)
    if (Array.isArray(session.tools)) this.tools = objectsOf(session.tools)
  }

  private applySession(session: Json): void {
    const audio = recordOf(session.audio)
    const inputAudio = session.input_audio_format ?? recordOf(audio.input).format
    const outputAudio = session.output_audio_format ?? recordOf(audio.output).format
    if (inputAudio !== undefined) this.bytesPerSecond.input = bytesPerSecond(inputAudio)
    if (outputAudio !== undefined) this.bytesPerSecond.output = bytesPerSecond(outputAudio)
  }

  /** Meters a message in an upstream's event, because the upstream sends back each item of the client. */
  private addItem(item: Json): void {
    if (item.type !== 'message') return
    for (const part of objectsOf(item.content)) if (part.type === 'input_text') this.addPromptText(part.text)
  }

  private addResponseEvent(type: string, event: Json): void {
    if (type === 'response.created') {
      this.isRequested = false
      this.runningResponses += 1
    } else if (type === 'response.done') this.endResponse(recordOf(event.response))
    else if (type.endsWith('.delta')) {
      this.firstTokenAt ??= Date.now()
      if (/^response\.(output_)?audio\.delta$/.test(type)) {
        this.unreported.outputSeconds += secondsIn(event.delta, this.bytesPerSecond.output)
      } else this.addCompletionText(event.delta)
    }
  }

  private endResponse(response: Json): void {
    this.isRequested = false
    this.runningResponses = Math.max(0, this.runningResponses - 1)
    this.endedResponses += 1
    const usage = readRealtimeUsage(response.usage)
    if (usage) {
      this.reported = addUsage(this.reported, usage)
      this.unreported = nothingUnreported()
    } else if (this.endedResponses > 1) {
      for (const { name, description, parameters } of this.tools) {
        this.unreported.promptTokens += TOKENS_PER_TOOL
        for (const text of [name, description, parameters && JSON.stringify(parameters)]) this.addPromptText(text)
      }
    }
  }

  /**
   * Adds the usage of a transcription model as text tokens. At the session's prices, text costs about as much as a
   * transcription, but audio costs far more.
   */
  private addTranscription(usage: Json): void {
    const { promptTokens, completionTokens } = readRealtimeUsage(usage) ?? plainUsage(0, 0)
    const seconds = numberOf(usage.seconds) ?? 0
    const tokens = promptTokens || transcriptionTokens(Math.max(0, seconds))
    const plausible = plausibleUsage(plainUsage(tokens, completionTokens))
    if (plausible) this.reported = addUsage(this.reported, plausible)
  }

  private addPromptText(text: unknown): void {
    if (typeof text !== 'string') return
    this.unreported.promptTexts.push(text)
    this.unreported.promptEstimate += estimateTokens(text)
  }

  private addCompletionText(text: unknown): void {
    if (typeof text !== 'string') return
    this.unreported.completionTexts.push(text)
    this.unreported.completionEstimate += estimateTokens(text)
  }
}

function nothingUnreported(): Unreported {
  return {
    promptTexts: [],
    completionTexts: [],
    promptEstimate: 0,
    completionEstimate: 0,
    promptTokens: 0,
    inputSeconds: 0,
    outputSeconds: 0,
  }
}

/** Returns the rate of an audio format. All formats except PCM are variants of G.711. */
function bytesPerSecond(format: unknown): number {
  const name = isRecord(format) ? format.type : format
  return name === 'pcm16' || name === 'audio/pcm' ? PCM_BYTES_PER_SECOND : PHONE_BYTES_PER_SECOND
}

function secondsIn(audio: unknown, perSecond: number): number {
  return typeof audio === 'string' ? Buffer.byteLength(audio, 'base64') / perSecond : 0
}

/**
 * Reads the usage of one response. Returns undefined if it is missing or implausible. Cached audio counts only as
 * cached tokens, so that it is not charged twice.
 */
export function readRealtimeUsage(reported: unknown): Usage | undefined {
  const report = recordOf(reported)
  const [input, output] = [recordOf(report.input_token_details), recordOf(report.output_token_details)]
  const audio = countOf(input.audio_tokens)
  const promptTokens = countOf(report.input_tokens) || audio + countOf(input.text_tokens)
  const completionTokens = countOf(report.output_tokens) || countOf(output.audio_tokens) + countOf(output.text_tokens)
  const cached = countOf(input.cached_tokens)
  const cachedKinds = isRecord(input.cached_tokens_details) ? input.cached_tokens_details : undefined
  return plausibleUsage({
    ...plainUsage(promptTokens, completionTokens),
    // Without details, cached tokens count as text, so there are at most as many as text tokens.
    cachedTokens: cachedKinds ? cached : Math.min(cached, Math.max(0, promptTokens - audio)),
    audioPromptTokens: Math.max(0, audio - countOf(cachedKinds?.audio_tokens)),
    audioCompletionTokens: countOf(output.audio_tokens),
  })
}
