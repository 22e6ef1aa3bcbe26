import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { type ComponentType, type LazyExoticComponent, lazy, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadWithRetry } from '../load-with-retry.ts'

interface Props {
  visible?: boolean
  onClose: () => void
}

/**
 * Creates a dialog or drawer whose code loads when it first opens. If loading fails, as after a gateway update, it shows an
 * error and closes, so that the page keeps its input. The next opening tries again.
 */
export function onDemand<P extends Props>(
  load: () => Promise<ComponentType<P>>,
  /** Whether the properties open it. */
  isOpen: (props: P) => boolean = ({ visible = true }) => visible,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  return function OnDemand(props: P) {
    const { t } = useTranslation()
    const [Component, setComponent] = useState(() => loaded)
    const isOpened = isOpen(props)
    const giveUp = useEffectEvent(() => {
      Message.error(t('page.unloadedHint'))
      props.onClose()
    })
    useEffect(() => {
      if (!isOpened || Component) return
      let unmounted = false
      void loadWithRetry(load).then(
        (component) => {
          loaded = component
          if (!unmounted) setComponent(() => component)
        },
        () => unmounted || giveUp(),
      )
      return () => {
        unmounted = true
      }
    }, [isOpened, Component])
    return Component ? <Component {...props} /> : null
  }
}

/**
 * Creates a part of a page whose code loads when it is rendered. If loading fails, the part shows an error and the rest of
 * the page stays. Its retry reloads the page, because after a gateway update only a new page refers to the new files.
 */
export function inPlace<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => loadWithRetry(load).then(asDefault, () => asDefault<ComponentType<P>>(UnloadedPart)))
}

const asDefault = <T,>(component: T) => ({ default: component })

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
