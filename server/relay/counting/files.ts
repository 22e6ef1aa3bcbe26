import { wordOf } from '../json.ts'
import { countPages } from './pdf-pages.ts'

/** The properties of a prompt's file that determine its price. */
export interface PromptFile {
  readonly kind: 'image' | 'pdf' | 'audio' | 'video' | 'text' | 'other'
  /** Size of the file. Undefined if the request has only a reference to the file. */
  readonly bytes: number | undefined
  /** Number of pages of a PDF, if it could be determined. */
  readonly pages?: number | undefined
  /** Whether an image has low detail. */
  readonly isCoarse?: boolean
  /** Number of frames per second that the model reads of a video, if the client sets it. */
  readonly framesPerSecond?: number
}

/** Tokens of files for the models that `name` matches: `most` for holds, `usual` for charges without reported usage. */
interface Rates {
  readonly name: RegExp
  readonly image: { readonly most: number; readonly usual: number; readonly coarse: number }
  readonly page: { readonly most: number; readonly usual: number }
  readonly pagesMax: number
  readonly audioSecond: number
  readonly frame: number
}

const GPT_IMAGE = { usual: 1105, coarse: 85 }
const PAGE = { most: 4600, usual: 2250 }

/**
 * The vendors' documented rates in tokens. OpenAI's images: 85 + 170 for each of at most 8 tiles. Small models have up
 * to 1536 patches with up to 2.46 tokens each. gpt-4o-mini: 2833 + 5667 for each tile. Anthropic: 1500 to 3000 for the
 * text of a page, plus the page's image. Google: 258 for a tile (at most 16), a page or a frame, and 32 for a second of
 * audio.
 */
const RATES: readonly Rates[] = [
  {
    // Images as input for the generation of images, at high fidelity:
    // https://platform.openai.com/docs/guides/image-generation
    name: /gpt-image|chatgpt-image/,
    image: { most: 7400, usual: 323, coarse: 7400 },
    page: PAGE,
    pagesMax: 100,
    audioSecond: 10,
    frame: 0,
  },
  {
    name: /gpt-4o-mini/,
    image: { most: 48_169, usual: 25_501, coarse: 2833 },
    page: { most: 51_200, usual: 27_000 },
    pagesMax: 100,
    audioSecond: 10,
    frame: 0,
  },
  {
    name: /(gpt|o\d|codex).*-(mini|nano)/,
    image: { ...GPT_IMAGE, most: 3779 },
    page: { most: 6800, usual: 3400 },
    pagesMax: 100,
    audioSecond: 10,
    frame: 0,
  },
  {
    name: /gpt|chatgpt|^o\d|codex/,
    image: { ...GPT_IMAGE, most: 1445 },
    page: PAGE,
    pagesMax: 100,
    audioSecond: 10,
    frame: 0,
  },
  {
    name: /claude/,
    image: { most: 4784, usual: 1000, coarse: 4784 },
    page: { most: 7800, usual: 3000 },
    pagesMax: 600,
    audioSecond: 0,
    frame: 0,
  },
  {
    name: /gemini|gemma/,
    image: { most: 4128, usual: 1548, coarse: 4128 },
    page: { most: 1120, usual: 258 },
    pagesMax: 1000,
    audioSecond: 32,
    frame: 258,
  },
]
/** Rates of an unknown model. Most are the highest rates above, except those of gpt-image and gpt-4o-mini. */
const UNKNOWN_MODEL: Rates = {
  name: /^/,
  image: { ...GPT_IMAGE, most: 4784 },
  page: { most: 7800, usual: 2250 },
  pagesMax: 1000,
  audioSecond: 32,
  frame: 258,
}

/** The largest context window of these vendors, in tokens. */
export const CONTEXT_WINDOW = 1_048_576
/** Bytes per second of audio or video: the minimum and the usual number. */
const AUDIO_BYTES = { least: 750, usual: 8000 }
const VIDEO_BYTES = { least: 2000, usual: 250_000 }
const PAGE_BYTES = 50_000
const BYTES_PER_TEXT_TOKEN = 3

interface FileTokens {
  readonly tokens: number
  /** The part of `tokens` that is audio, for which some models have a separate ratio. */
  readonly audio: number
}

/**
 * Returns the tokens of a prompt's files. With `most`, returns the maximum that the model's vendor may charge.
 */
export function fileTokens(
  files: readonly PromptFile[],
  { model, contextWindow = CONTEXT_WINDOW }: { model: string; contextWindow?: number | undefined },
  bound: 'most' | 'usual',
): FileTokens {
  const name = model.toLowerCase()
  const rates = RATES.find((candidate) => candidate.name.test(name)) ?? UNKNOWN_MODEL
  let tokens = 0
  let audio = 0
  for (const file of files) {
    const tokensOfFile = Math.ceil(
      bound === 'most' ? maximumTokens(file, rates, contextWindow) : usualTokens(file, rates),
    )
    tokens += tokensOfFile
    if (file.kind === 'audio') audio += tokensOfFile
  }
  if (bound === 'usual') return { tokens, audio }
  // A prompt cannot exceed the context window, so its files cannot either.
  return { tokens: Math.min(tokens, contextWindow), audio: Math.min(audio, contextWindow) }
}

function maximumTokens(file: PromptFile, rates: Rates, contextWindow: number): number {
  const { kind, bytes, pages = rates.pagesMax, isCoarse, framesPerSecond = 1 } = file
  if (kind === 'image') return isCoarse ? rates.image.coarse : rates.image.most
  if (kind === 'pdf') return Math.max(1, pages) * rates.page.most
  if (bytes === undefined) return contextWindow
  if (kind === 'audio') return (bytes / AUDIO_BYTES.least) * rates.audioSecond
  if (kind === 'video') return (bytes / VIDEO_BYTES.least) * tokensPerSecond(rates, framesPerSecond)
  // A compressed document may contain any number of words.
  return kind === 'text' ? bytes : contextWindow
}

function usualTokens(file: PromptFile, rates: Rates): number {
  const { kind, bytes = 0, isCoarse, framesPerSecond = 1 } = file
  const pages = file.pages ?? Math.max(1, bytes / PAGE_BYTES)
  if (kind === 'image') return isCoarse ? rates.image.coarse : rates.image.usual
  if (kind === 'audio') return Math.max(1, bytes / AUDIO_BYTES.usual) * rates.audioSecond
  if (kind === 'video') return Math.max(1, bytes / VIDEO_BYTES.usual) * tokensPerSecond(rates, framesPerSecond)
  return kind === 'text' ? bytes / BYTES_PER_TEXT_TOKEN : pages * rates.page.usual
}

const tokensPerSecond = ({ frame, audioSecond }: Rates, framesPerSecond: number): number =>
  frame * Math.max(1, framesPerSecond) + audioSecond

const PADDING = /[=\s]+$/

/** Returns the file in base64 data or in a data URL. If `data` is an address, `bytes` is undefined. */
export function promptFile(data: unknown, type: unknown): PromptFile {
  const kind = kindOfFile(data, type)
  if (!hasBytes(data)) return { kind, bytes: undefined }
  const start = startOf(data)
  const bytes = Math.floor(((data.length - start - (PADDING.exec(data.slice(-4))?.[0].length ?? 0)) * 3) / 4)
  return kind === 'pdf' ? { kind, bytes, pages: countPages(Buffer.from(data.slice(start), 'base64')) } : { kind, bytes }
}

/**
 * Returns the kind of the file in `data`. The data or the address takes precedence over the declared `type`, because
 * upstreams use them.
 */
export function kindOfFile(data: unknown, type: unknown): PromptFile['kind'] {
  const declared = wordOf(type ?? '')
  if (!hasBytes(data)) return typeof data === 'string' && VIDEO_ADDRESS.test(data) ? 'video' : kindOf(declared)
  if (data.startsWith(PDF_BASE64, startOf(data))) return 'pdf'
  return kindOf(DATA_URL.exec(data.slice(0, 200))?.[1] || declared)
}

const hasBytes = (data: unknown): data is string => typeof data === 'string' && !ADDRESS.test(data.slice(0, 100))
const ADDRESS = /^\s*(https?|gs):/i
/** Addresses that Google's models read as videos, even if another type is declared. */
const VIDEO_ADDRESS = /^\s*https?:\/\/((www|m|music)\.)?(youtube\.com|youtu\.be)\b/i
const DATA_URL = /^data:([^;,]*)/i

const startOf = (data: string): number => (DATA_URL.test(data.slice(0, 200)) ? data.indexOf(',') + 1 : 0)

/**
 * Returns the image at an address or in a data URL. The result may have another kind, because some vendors accept
 * videos in fields for images.
 */
export function promptImage(url: unknown, { isCoarse }: { isCoarse: boolean }): PromptFile {
  const file = promptFile(url, 'image/')
  return file.kind === 'other' || file.kind === 'image' ? { kind: 'image', bytes: file.bytes, isCoarse } : file
}

/** The beginning of a PDF, `%PDF-`, in base64. */
const PDF_BASE64 = 'JVBERi'

function kindOf(type: string): PromptFile['kind'] {
  const name = type.toLowerCase()
  const [, topLevelType] = /^(image|audio|video|text)\//.exec(name) ?? []
  if (topLevelType) return topLevelType as PromptFile['kind']
  if (name.includes('pdf')) return 'pdf'
  if (/^(wav|mp3|flac|opus|ogg|pcm16|m4a|aac)$/.test(name)) return 'audio'
  return /^application\/(json|xml|javascript)/.test(name) ? 'text' : 'other'
}
