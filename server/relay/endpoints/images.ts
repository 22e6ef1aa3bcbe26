import { BY_USAGE, imagePrice, type Price } from '../../../core/pricing/prices.ts'
import { recordOf } from '../../../core/records.ts'
import { remark } from '../charging/price-text.ts'
import { plainUsage } from '../charging/usage.ts'
import type { Body } from '../dialects/dialect.ts'
import { refuse } from '../dialects/refuse.ts'
import { foldKey } from '../hosted/folded.ts'
import { arrayOf, countOf, type Json } from '../json.ts'
import {
  allowText,
  checkEndpointStream,
  type Endpoint,
  type EndpointAsk,
  type Pieces,
  type Reported,
  requireField,
  type Sale,
  wantsStream,
} from './endpoint.ts'
import { readMediaUsage } from './reported-usage.ts'

/** Maximum number of images per request. No model makes more, and a client's mistake must not use up a balance. */
const IMAGES_MAX = 10
/** Normalized names (`foldKey`) of the field for the number of images, at vendors that use OpenAI's format. */
const COUNT_FIELDS = new Set(
  'n batchsize count imagecount numberofimages numimages numimagesperprompt numoutputs numsamples samplecount samples'.split(
    ' ',
  ),
)
const SEQUENCE_COUNT = 'sequential_image_generation_options.max_images'
/** Maximum plausible number of images in a report. A higher number is ignored. */
const REPORTED_IMAGES_MAX = 100
/** Maximum characters of a size or a quality, because both are stored in the log row. */
const WORD_LENGTH_MAX = 32
const SIZE_DEFAULT = '1024x1024'
const QUALITY_DEFAULT = 'standard'

const SQUARES = ['256x256', '512x512', '1024x1024']
const TALL_OR_WIDE = ['1024x1792', '1792x1024']
const SIZES: Readonly<Record<string, readonly string[]>> = {
  'dall-e': SQUARES,
  'dall-e-2': SQUARES,
  'dall-e-3': ['1024x1024', ...TALL_OR_WIDE],
}
const SIZE_FACTOR: Readonly<Record<string, number>> = {
  '256x256': 0.4,
  '512x512': 0.45,
  '1024x1792': 2,
  '1792x1024': 2,
}

/**
 * Output tokens of one image by quality. The first number is for a square image, the second for a tall or wide image:
 * https://platform.openai.com/docs/guides/image-generation
 */
const IMAGE_TOKENS = { low: [272, 408], medium: [1056, 1584], high: [4160, 6240] } as const
const SOLD_BY_TOKENS = /^(chat)?gpt-image/

/**
 * The endpoint that creates images from a text. Charges the operator's price per image, if set, else the reported
 * tokens. Without reported tokens, charges the held tokens for gpt-image models. For other models, charges a price per
 * image that derives from the model ratio.
 */
export const images: Endpoint = {
  // OpenAI's documented default, dall-e-2, is retired.
  defaultModel: 'dall-e-3',
  multipart: false,
  check(ask) {
    requireField(ask.body, 'prompt')
    checkImages(ask)
  },
  prompt: ({ body }) => ({ texts: textsIn(body), otherTokens: 0 }),
  streams: wantsStream,
  completionTokens: (ask) =>
    SOLD_BY_TOKENS.test(ask.model) ? (imageTokens(ask) + partialTokens(ask)) * countOfImages(ask) : 0,
  reported: readMediaUsage,
  pieces: piecesIn,
  sale,
}

/**
 * The endpoint that edits an image by a text. The default is no dall-e model, because dall-e-3 does not support edits,
 * and dall-e-2 is retired.
 */
export const imageEdits: Endpoint = {
  ...images,
  defaultModel: 'gpt-image-1',
  multipart: true,
  check(ask) {
    requireImage(ask)
    images.check(ask)
  },
  prompt: ({ body, upload }) => ({
    texts: textsIn(body),
    otherTokens: 0,
    files: upload?.files.map(({ bytes }) => ({ kind: 'image', bytes, isCoarse: false })) ?? [],
  }),
}

/** The endpoint that creates variations of an image, without a text. */
export const imageVariations: Endpoint = {
  ...imageEdits,
  check(ask) {
    requireImage(ask)
    checkImages(ask)
  },
}

const textsIn = ({ prompt }: Body): string[] => (typeof prompt === 'string' ? [prompt] : [])

function checkImages(ask: EndpointAsk): void {
  const { body, model } = ask
  for (const name of ['size', 'quality']) allowText(body, name, WORD_LENGTH_MAX)
  checkEndpointStream(ask)
  for (const [name, count] of countsIn(ask)) {
    if (!Number.isInteger(count) || count < 1 || count > IMAGES_MAX)
      refuse(`${name} must be a whole number from 1 to ${IMAGES_MAX}`)
  }
  const sizes = Object.hasOwn(SIZES, model) ? SIZES[model] : undefined
  if (sizes && !sizes.includes(sizeOf(ask)))
    refuse('size must be one of 256x256, 512x512, or 1024x1024, dall-e-3 1024x1792 or 1792x1024')
}

function requireImage({ body, upload }: EndpointAsk): void {
  const hasImageFile = upload?.files.some(({ field }) => /^images?(\[\w*\])?$/.test(field))
  if (!hasImageFile && !body.image && !body.images)
    refuse('image is required: send it as a file of a multipart/form-data body')
}

/** Returns each number of images in a request, with its field, because a vendor may read another field than `n`. */
function countsIn({ body, upload }: EndpointAsk): [name: string, count: number][] {
  const counts = [body, recordOf(body.parameters)].flatMap((fields) =>
    Object.entries(fields).filter(([name]) => COUNT_FIELDS.has(foldKey(name))),
  )
  const { sequential_image_generation: sequence, sequential_image_generation_options: options } = body
  // A sequence needs a maximum. Otherwise, the vendor may return more images than a request may have.
  if (sequence === 'auto') counts.push([SEQUENCE_COUNT, recordOf(options).max_images ?? Number.NaN])
  return counts.filter(([, value]) => isSet(value, upload)).map(([name, value]) => [name, numberIn(value, upload)])
}

function isSet(value: unknown, upload: EndpointAsk['upload']): boolean {
  return value !== undefined && value !== null && !(upload && value === '')
}

/** Returns a value as a number, or NaN if it is no number. In a form, numbers are texts. */
function numberIn(value: unknown, upload: EndpointAsk['upload']): number {
  return typeof value === 'number' || (upload && typeof value === 'string') ? Number(value) : Number.NaN
}

function countOfImages(ask: EndpointAsk): number {
  return Math.max(1, ...countsIn(ask).map(([, count]) => count))
}

/**
 * Returns the number of images to charge: the images in the reply, but at least `n` minus the failed ones. If the reply
 * lists no images, returns the request's maximum.
 */
function soldImages(ask: EndpointAsk, pieces: Pieces | undefined): number {
  if (!pieces) return countOfImages(ask)
  const { body, upload } = ask
  const requestedImages = isSet(body.n, upload) ? numberIn(body.n, upload) : 1
  return Math.max(pieces.made, requestedImages - pieces.failed)
}

/** Returns the numbers of made and failed images, or undefined for a body without images, such as a stream's event. */
function piecesIn({ data, images, usage }: Json): Pieces | undefined {
  // Read only one list, because some vendors send the same images in both lists.
  const listed = arrayOf(data).length > 0 ? arrayOf(data) : arrayOf(images)
  const failed = listed.filter((one) => recordOf(one).error).length
  const reported = countOf(recordOf(usage).generated_images)
  const made = Math.max(listed.length - failed, reported <= REPORTED_IMAGES_MAX ? reported : 0)
  return made > 0 ? { made, failed } : undefined
}

function sizeOf({ body }: EndpointAsk): string {
  return (body.size as string) || SIZE_DEFAULT
}

function qualityOf({ body }: EndpointAsk): string {
  return (body.quality as string) || QUALITY_DEFAULT
}

/** Returns an image's price relative to the listed price: for dall-e by size and quality, otherwise 1. */
function factorOf(ask: EndpointAsk): number {
  const size = sizeOf(ask)
  if (!Object.hasOwn(SIZES, ask.model)) return 1
  const sizeFactor = Object.hasOwn(SIZE_FACTOR, size) ? (SIZE_FACTOR[size] as number) : 1
  const isHd = ask.model === 'dall-e-3' && qualityOf(ask) === 'hd'
  const qualityFactor = isHd ? (TALL_OR_WIDE.includes(size) ? 1.5 : 2) : 1
  return sizeFactor * qualityFactor
}

function imageTokens(ask: EndpointAsk): number {
  const quality = qualityOf(ask)
  const [square, oblong] = quality === 'low' || quality === 'medium' ? IMAGE_TOKENS[quality] : IMAGE_TOKENS.high
  // Without a size, the model chooses the size, which may be the more expensive one.
  return ask.body.size === SIZE_DEFAULT ? square : oblong
}

function partialTokens({ body, upload }: EndpointAsk): number {
  const { partial_images: partials } = body
  const count = isSet(partials, upload) ? numberIn(partials, upload) : 0
  return count > 0 ? PARTIAL_TOKENS * Math.min(count, IMAGES_MAX) : 0
}
const PARTIAL_TOKENS = 100

function sale(listed: Price, ask: EndpointAsk, { reported, pieces }: Reported): Sale {
  const [size, quality, count] = [sizeOf(ask), qualityOf(ask), soldImages(ask, pieces)]
  const imageFields = { image_size: size, image_quality: quality, image_count: count }
  const text = `, ${remark('remark.size')} ${size}, ${remark('remark.quality')} ${quality}`
  // Without a report, such as after the client disconnected, the held tokens are charged.
  if (listed.modelPrice === BY_USAGE && (reported || SOLD_BY_TOKENS.test(ask.model)))
    return { price: listed, usage: reported, text, other: imageFields }
  const factor = factorOf(ask) * count
  return {
    price: imagePrice(listed, factor),
    // For a price per image, the log row shows the number of images as prompt tokens.
    usage: plainUsage(count, 0),
    text,
    // The log row's `model_price` includes the factor.
    other: { ...imageFields, image_factor: factor },
  }
}
