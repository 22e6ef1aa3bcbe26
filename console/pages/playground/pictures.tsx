import Button from '@arco-design/web-react/es/Button'
import { IconClose } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { isOtherOrigin } from '../../components/markdown-image.ts'
import { RemoteImage } from '../../components/remote-image.tsx'

export function Pictures({ images, onRemove }: { images: readonly string[]; onRemove?: (place: number) => void }) {
  const { t } = useTranslation()
  if (images.length === 0) return null
  return (
    <ul className="pictures">
      {images.map((image, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same image may occur twice
        <li key={place}>
          {isOtherOrigin(image) ? (
            <RemoteImage src={image} alt={t('playground.image', { place: place + 1 })} />
          ) : (
            <img src={image} alt={t('playground.image', { place: place + 1 })} />
          )}
          {onRemove && (
            <Button
              className="picture-remove"
              size="mini"
              shape="circle"
              icon={<IconClose />}
              aria-label={t('playground.removeImage', { place: place + 1 })}
              onClick={() => onRemove(place)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
