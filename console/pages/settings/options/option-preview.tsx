import { CustomContent } from '../../../components/custom-content.tsx'
import { CustomFooter } from '../../../layout/footer.tsx'
import type { OptionField } from './area.ts'

interface Props {
  kind: NonNullable<OptionField['preview']>
  text: string
  title: string
}

/** What was typed, as it will be shown. */
export function OptionPreview({ kind, text, title }: Props) {
  switch (kind) {
    case 'page':
      return <CustomContent content={text} title={title} />
    case 'footer':
      return <CustomFooter html={text} />
    case 'image':
      return <img className="option-image" src={text} alt={title} />
  }
}
