import { Component, type ReactNode } from 'react'
import type { PageLocation } from './location.ts'

interface Props {
  /** After a navigation, the boundary renders its children again. */
  location: PageLocation
  failure: (error: unknown) => ReactNode
  children: ReactNode
}

interface State {
  location: PageLocation
  failed: { error: unknown } | undefined
}

/** Shows `failure` instead of children that throw while they render. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { location: this.props.location, failed: undefined }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ location }: Props, state: State): State | null {
    return location === state.location ? null : { location, failed: undefined }
  }

  override render(): ReactNode {
    const { failed } = this.state
    return failed ? this.props.failure(failed.error) : this.props.children
  }
}
