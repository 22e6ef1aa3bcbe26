import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'

/** Returns a color for a price multiplier: green up to 1, then blue, orange above 3, red above 5. */
export function ratioColor(ratio: number): 'red' | 'orange' | 'blue' | 'green' {
  if (ratio > 5) return 'red'
  if (ratio > 3) return 'orange'
  return ratio > 1 ? 'blue' : 'green'
}

/** A group's price multiplier, with the group's name if `group` is given. */
export function GroupRatio({ ratio, group }: { ratio: number; group?: string }) {
  const { t } = useTranslation()
  return (
    <Tag size="small" color={ratioColor(ratio)}>
      {group === undefined ? t('group.ratio', { ratio }) : t('group.named', { group, ratio })}
    </Tag>
  )
}
