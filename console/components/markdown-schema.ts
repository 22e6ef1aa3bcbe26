import { defaultSchema } from 'rehype-sanitize'

const { attributes, protocols } = defaultSchema

/** Attributes allowed on any element, without ids, classes, styles, form actions and tab stops. */
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

/** The allowed Markdown and HTML: GitHub's list, narrowed, plus data URL images. */
export const markdownSchema: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => name !== 'picture' && name !== 'source'),
  attributes: { ...attributes, '*': EVERYWHERE, input: [...(attributes?.input ?? []), 'checked'] },
  protocols: { ...protocols, href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data'] },
  strip: ['script', 'style', 'title', 'textarea', 'template'],
}
