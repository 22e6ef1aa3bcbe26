import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  visible?: boolean
  onClose: () => void
}

/**
 * What opens above a page, and whose code is loaded when it is wanted. Where that cannot be had, as after an update of the
 * gateway, it says so and closes: the page below stays as it is, with what was typed.
 */
export function onDemand<P extends Props>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => load().then(asDefault, () => asDefault<ComponentType<P>>(Unloaded)))
}

/**
 * A part of a page, whose code is loaded when it is shown. Where that cannot be had, its place says so, and the rest of the
 * page stays. To try again is to load the page anew: within a page browsers remember which file has failed, and after an
 * update of the gateway only a new page knows the new files.
 */
export function inPlace<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => load().then(asDefault, () => asDefault<ComponentType<P>>(UnloadedPart)))
}

const asDefault = <T,>(component: T) => ({ default: component })

function Unloaded({ visible = true, onClose }: Props) {
  const { t } = useTranslation()
  const giveUp = useEffectEvent(() => {
    Message.error(t('page.unloadedHint'))
    onClose()
  })
  useEffect(() => {
    if (visible) giveUp()
  }, [visible])
  return null
}

function UnloadedPart() {
  const { t } = useTranslation()
  return (
    <Alert
      type="error"
      title={t('page.partUnloaded')}
      content={t('page.unloadedHint')}
      action={
        <Button size="small" onClick={() => window.location.reload()}>
          {t('page.reload')}
        </Button>
      }
    />
  )
}
