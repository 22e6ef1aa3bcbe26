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
 * Creates a dialog or drawer whose code loads when it first opens. If loading fails, such as after a gateway update,
 * shows an error and calls `onClose`. The page keeps its input, and the next opening loads the code again.
 */
export function onDemand<P extends Props>(
  load: () => Promise<ComponentType<P>>,
  /** Whether these properties open the dialog or drawer. */
  isOpen: (props: P) => boolean = ({ visible = true }) => visible,
): ComponentType<P> {
  let loadedComponent: ComponentType<P> | undefined
  return function OnDemand(props: P) {
    const { t } = useTranslation()
    const [Component, setComponent] = useState(() => loadedComponent)
    const isOpened = isOpen(props)
    const reportFailure = useEffectEvent(() => {
      Message.error(t('page.unloadedHint'))
      props.onClose()
    })
    useEffect(() => {
      if (!isOpened || Component) return
      let unmounted = false
      void loadWithRetry(load).then(
        (component) => {
          loadedComponent = component
          if (!unmounted) setComponent(() => component)
        },
        () => unmounted || reportFailure(),
      )
      return () => {
        unmounted = true
      }
    }, [isOpened, Component])
    return Component ? <Component {...props} /> : null
  }
}

/**
 * Creates a part of a page whose code loads when the part is rendered. If loading fails, the part shows an error, and
 * the rest of the page remains. The error's button reloads the page, because only a new page has the current files.
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
