import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'

/** How expensive a group is shows in its colour. */
export function ratioColor(ratio: number): 'red' | 'orange' | 'blue' | 'green' {
  if (ratio > 5) return 'red'
  if (ratio > 3) return 'orange'
  return ratio > 1 ? 'blue' : 'green'
}

/** By what a group's prices are multiplied; with its name where the name does not stand beside it. */
export function GroupRatio({ ratio, group }: { ratio: number; group?: string }) {
  const { t } = useTranslation()
  return (
    <Tag size="small" color={ratioColor(ratio)}>
      {group === undefined ? t('group.ratio', { ratio }) : t('group.named', { group, ratio })}
    </Tag>
  )
}
