import { memo, useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import ReactMarkdown, { type Components, type Options } from 'react-markdown'
import rehypeHighlight from 'rehype-highlight'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'
import { markdownBlocks } from './markdown-blocks.ts'
import { isOtherOrigin, isSafeImage } from './markdown-image.ts'
import './markdown.css'
import { RemoteImage } from './remote-image.tsx'

interface Props {
  text: string
  /** True if the text is not the operator's. Images of other sites then load after a click, through the gateway. */
  untrusted?: boolean
}

/** Renders Markdown with sanitized HTML. Load this large module with `lazy`. Only changed blocks rerender. */
export default function Markdown({ text, untrusted = false }: Props) {
  const options = useOptions()
  const blocks = useMemo(() => markdownBlocks(text), [text])
  return (
    <div className="markdown">
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: text grows at its end, so earlier blocks keep their index.
        <Block key={index} text={block} options={options} untrusted={untrusted} />
      ))}
    </div>
  )
}

const REMARK: Options['remarkPlugins'] = [remarkGfm]

/** Returns the parser options of one text. Each text of a page has its own prefix for ids. */
function useOptions(): Options {
  const { t } = useTranslation()
  const prefix = `user-content-${useId()}-`
  return useMemo(
    () => ({
      remarkPlugins: REMARK,
      // The highlighter runs after the sanitizer, which would remove its classes.
      rehypePlugins: [rehypeRaw, [rehypeSanitize, { ...markdownSchema, clobberPrefix: prefix }], rehypeHighlight],
      remarkRehypeOptions: {
        clobberPrefix: '', // prevents a second prefix
        footnoteLabel: t('component.footnotes'),
        footnoteBackLabel: (reference: number) => t('component.footnoteBack', { number: reference + 1 }),
      },
      // The sanitizer has already checked all URLs. The sanitizer adds the prefix to ids, but not to links to them.
      urlTransform: (address) => (address.startsWith('#') ? `#${prefix}${address.slice(1)}` : address),
    }),
    [prefix, t],
  )
}

const Block = memo(function Block({ text, options, untrusted }: Required<Props> & { options: Options }) {
  return (
    <ReactMarkdown {...options} components={untrusted ? UNTRUSTED_COMPONENTS : COMPONENTS}>
      {text}
    </ReactMarkdown>
  )
})

const COMPONENTS: Components = {
  a({ node: _, href, children, ...rest }) {
    const within = href?.startsWith('#')
    return (
      <a {...rest} href={href} {...(!within && { target: '_blank', rel: 'noopener noreferrer' })}>
        {children}
      </a>
    )
  },
  img({ node: _, src, alt, ...rest }) {
    if (typeof src !== 'string' || !isSafeImage(src)) return alt
    return <img {...rest} src={src} alt={alt ?? ''} loading="lazy" referrerPolicy="no-referrer" />
  },
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  input: ({ checked }) => <TaskBox done={checked ?? false} />,
  table: ({ node: _, ...rest }) => (
    <div className="scroll">
      <table {...rest} />
    </div>
  ),
}

const UNTRUSTED_COMPONENTS: Components = {
  ...COMPONENTS,
  img({ node: _, src, alt = '', ...rest }) {
    if (typeof src !== 'string' || !isSafeImage(src)) return alt
    return isOtherOrigin(src) ? (
      <RemoteImage src={src} alt={alt} />
    ) : (
      <img {...rest} src={src} alt={alt} loading="lazy" />
    )
  },
}

function TaskBox({ done }: { done: boolean }) {
  const { t } = useTranslation()
  return (
    <input type="checkbox" disabled checked={done} aria-label={t(done ? 'component.taskDone' : 'component.taskOpen')} />
  )
}

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
const markdownSchema: typeof defaultSchema = {
  ...defaultSchema,
  tagNames: defaultSchema.tagNames?.filter((name) => name !== 'picture' && name !== 'source'),
  attributes: { ...attributes, '*': EVERYWHERE, input: [...(attributes?.input ?? []), 'checked'] },
  protocols: { ...protocols, href: ['http', 'https', 'mailto'], src: ['http', 'https', 'data'] },
  strip: ['script', 'style', 'title', 'textarea', 'template'],
}
