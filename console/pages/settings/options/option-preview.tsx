import { CustomContent } from '../../../components/custom-content.tsx'
import { isOtherOrigin } from '../../../components/markdown-image.ts'
import { RemoteImage } from '../../../components/remote-image.tsx'
import { CustomFooter } from '../../../layout/footer.tsx'
import type { OptionField } from './area.ts'

interface Props {
  kind: NonNullable<OptionField['preview']>
  text: string
  title: string
}

export function OptionPreview({ kind, text, title }: Props) {
  switch (kind) {
    case 'page':
      return <CustomContent content={text} title={title} />
    case 'footer':
      return <CustomFooter html={text} />
    case 'image':
      // The page's content security policy allows only the hosts of saved images, so load others through the gateway.
      return isOtherOrigin(text) ? (
        <RemoteImage className="option-image" src={text} alt={title} />
      ) : (
        <img className="option-image" src={text} alt={title} />
      )
  }
}
