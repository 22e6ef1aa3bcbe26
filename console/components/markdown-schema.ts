import { defaultSchema } from 'rehype-sanitize'

const { attributes, protocols } = defaultSchema

/** Attributes that any element may have. Classes, styles, form actions and tab stops are not among them. */
const EVERYWHERE = [
  'align',
  'alt',
  'colSpan',
  'dir',
  'height',
  'id',
  'lang',
  'open',
  'rowSpan',
  'start',
  'title',
  'width',
]

/** The allowed HTML elements and attributes: a subset of GitHub's list, plus images from data URLs. */
export const markdownSchema: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => name !== 'picture' && name !== 'source'),
  attributes: { ...attributes, '*': EVERYWHERE, input: [...(attributes?.input ?? []), 'checked'] },
  protocols: { ...protocols, href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data'] },
  strip: ['script', 'style', 'title', 'textarea', 'template'],
}
