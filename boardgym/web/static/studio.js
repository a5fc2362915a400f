var Lu=Object.defineProperty;var Ru=Object.getOwnPropertyDescriptor;var u=(i,s,e,t)=>{for(var r=t>1?void 0:t?Ru(s,e):s,n=i.length-1,o;n>=0;n--)(o=i[n])&&(r=(t?o(s,e,r):o(r))||r);return t&&r&&Lu(s,e,r),r};var kn=globalThis,Sn=kn.ShadowRoot&&(kn.ShadyCSS===void 0||kn.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,da=Symbol(),oc=new WeakMap,Br=class{constructor(s,e,t){if(this._$cssResult$=!0,t!==da)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=s,this.t=e}get styleSheet(){let s=this.o,e=this.t;if(Sn&&s===void 0){let t=e!==void 0&&e.length===1;t&&(s=oc.get(e)),s===void 0&&((this.o=s=new CSSStyleSheet).replaceSync(this.cssText),t&&oc.set(e,s))}return s}toString(){return this.cssText}},En=i=>new Br(typeof i=="string"?i:i+"",void 0,da),P=(i,...s)=>{let e=i.length===1?i[0]:s.reduce((t,r,n)=>t+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+i[n+1],i[0]);return new Br(e,i,da)},ac=(i,s)=>{if(Sn)i.adoptedStyleSheets=s.map(e=>e instanceof CSSStyleSheet?e:e.styleSheet);else for(let e of s){let t=document.createElement("style"),r=kn.litNonce;r!==void 0&&t.setAttribute("nonce",r),t.textContent=e.cssText,i.appendChild(t)}},pa=Sn?i=>i:i=>i instanceof CSSStyleSheet?(s=>{let e="";for(let t of s.cssRules)e+=t.cssText;return En(e)})(i):i;var{is:Cu,defineProperty:Ou,getOwnPropertyDescriptor:Du,getOwnPropertyNames:Nu,getOwnPropertySymbols:ju,getPrototypeOf:Fu}=Object,Pn=globalThis,lc=Pn.trustedTypes,Bu=lc?lc.emptyScript:"",Vu=Pn.reactiveElementPolyfillSupport,Vr=(i,s)=>i,Gr={toAttribute(i,s){switch(s){case Boolean:i=i?Bu:null;break;case Object:case Array:i=i==null?i:JSON.stringify(i)}return i},fromAttribute(i,s){let e=i;switch(s){case Boolean:e=i!==null;break;case Number:e=i===null?null:Number(i);break;case Object:case Array:try{e=JSON.parse(i)}catch{e=null}}return e}},Tn=(i,s)=>!Cu(i,s),cc={attribute:!0,type:String,converter:Gr,reflect:!1,useDefault:!1,hasChanged:Tn};Symbol.metadata??=Symbol("metadata"),Pn.litPropertyMetadata??=new WeakMap;var $s=class extends HTMLElement{static addInitializer(s){this._$Ei(),(this.l??=[]).push(s)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(s,e=cc){if(e.state&&(e.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(s)&&((e=Object.create(e)).wrapped=!0),this.elementProperties.set(s,e),!e.noAccessor){let t=Symbol(),r=this.getPropertyDescriptor(s,t,e);r!==void 0&&Ou(this.prototype,s,r)}}static getPropertyDescriptor(s,e,t){let{get:r,set:n}=Du(this.prototype,s)??{get(){return this[e]},set(o){this[e]=o}};return{get:r,set(o){let a=r?.call(this);n?.call(this,o),this.requestUpdate(s,a,t)},configurable:!0,enumerable:!0}}static getPropertyOptions(s){return this.elementProperties.get(s)??cc}static _$Ei(){if(this.hasOwnProperty(Vr("elementProperties")))return;let s=Fu(this);s.finalize(),s.l!==void 0&&(this.l=[...s.l]),this.elementProperties=new Map(s.elementProperties)}static finalize(){if(this.hasOwnProperty(Vr("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(Vr("properties"))){let e=this.properties,t=[...Nu(e),...ju(e)];for(let r of t)this.createProperty(r,e[r])}let s=this[Symbol.metadata];if(s!==null){let e=litPropertyMetadata.get(s);if(e!==void 0)for(let[t,r]of e)this.elementProperties.set(t,r)}this._$Eh=new Map;for(let[e,t]of this.elementProperties){let r=this._$Eu(e,t);r!==void 0&&this._$Eh.set(r,e)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(s){let e=[];if(Array.isArray(s)){let t=new Set(s.flat(1/0).reverse());for(let r of t)e.unshift(pa(r))}else s!==void 0&&e.push(pa(s));return e}static _$Eu(s,e){let t=e.attribute;return t===!1?void 0:typeof t=="string"?t:typeof s=="string"?s.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(s=>this.enableUpdating=s),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(s=>s(this))}addController(s){(this._$EO??=new Set).add(s),this.renderRoot!==void 0&&this.isConnected&&s.hostConnected?.()}removeController(s){this._$EO?.delete(s)}_$E_(){let s=new Map,e=this.constructor.elementProperties;for(let t of e.keys())this.hasOwnProperty(t)&&(s.set(t,this[t]),delete this[t]);s.size>0&&(this._$Ep=s)}createRenderRoot(){let s=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return ac(s,this.constructor.elementStyles),s}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(s=>s.hostConnected?.())}enableUpdating(s){}disconnectedCallback(){this._$EO?.forEach(s=>s.hostDisconnected?.())}attributeChangedCallback(s,e,t){this._$AK(s,t)}_$ET(s,e){let t=this.constructor.elementProperties.get(s),r=this.constructor._$Eu(s,t);if(r!==void 0&&t.reflect===!0){let n=(t.converter?.toAttribute!==void 0?t.converter:Gr).toAttribute(e,t.type);this._$Em=s,n==null?this.removeAttribute(r):this.setAttribute(r,n),this._$Em=null}}_$AK(s,e){let t=this.constructor,r=t._$Eh.get(s);if(r!==void 0&&this._$Em!==r){let n=t.getPropertyOptions(r),o=typeof n.converter=="function"?{fromAttribute:n.converter}:n.converter?.fromAttribute!==void 0?n.converter:Gr;this._$Em=r;let a=o.fromAttribute(e,n.type);this[r]=a??this._$Ej?.get(r)??a,this._$Em=null}}requestUpdate(s,e,t,r=!1,n){if(s!==void 0){let o=this.constructor;if(r===!1&&(n=this[s]),t??=o.getPropertyOptions(s),!((t.hasChanged??Tn)(n,e)||t.useDefault&&t.reflect&&n===this._$Ej?.get(s)&&!this.hasAttribute(o._$Eu(s,t))))return;this.C(s,e,t)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(s,e,{useDefault:t,reflect:r,wrapped:n},o){t&&!(this._$Ej??=new Map).has(s)&&(this._$Ej.set(s,o??e??this[s]),n!==!0||o!==void 0)||(this._$AL.has(s)||(this.hasUpdated||t||(e=void 0),this._$AL.set(s,e)),r===!0&&this._$Em!==s&&(this._$Eq??=new Set).add(s))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(e){Promise.reject(e)}let s=this.scheduleUpdate();return s!=null&&await s,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,n]of this._$Ep)this[r]=n;this._$Ep=void 0}let t=this.constructor.elementProperties;if(t.size>0)for(let[r,n]of t){let{wrapped:o}=n,a=this[r];o!==!0||this._$AL.has(r)||a===void 0||this.C(r,void 0,n,a)}}let s=!1,e=this._$AL;try{s=this.shouldUpdate(e),s?(this.willUpdate(e),this._$EO?.forEach(t=>t.hostUpdate?.()),this.update(e)):this._$EM()}catch(t){throw s=!1,this._$EM(),t}s&&this._$AE(e)}willUpdate(s){}_$AE(s){this._$EO?.forEach(e=>e.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(s)),this.updated(s)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(s){return!0}update(s){this._$Eq&&=this._$Eq.forEach(e=>this._$ET(e,this[e])),this._$EM()}updated(s){}firstUpdated(s){}};$s.elementStyles=[],$s.shadowRootOptions={mode:"open"},$s[Vr("elementProperties")]=new Map,$s[Vr("finalized")]=new Map,Vu?.({ReactiveElement:$s}),(Pn.reactiveElementVersions??=[]).push("2.1.2");var ua=globalThis,dc=i=>i,_n=ua.trustedTypes,pc=_n?_n.createPolicy("lit-html",{createHTML:i=>i}):void 0,ma="$lit$",ws=`lit$${Math.random().toFixed(9).slice(2)}$`,fa="?"+ws,Gu=`<${fa}>`,fi=document,Hr=()=>fi.createComment(""),qr=i=>i===null||typeof i!="object"&&typeof i!="function",ga=Array.isArray,vc=i=>ga(i)||typeof i?.[Symbol.iterator]=="function",ha=`[ 	
\f\r]`,Ir=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,hc=/-->/g,uc=/>/g,ui=RegExp(`>|${ha}(?:([^\\s"'>=/]+)(${ha}*=${ha}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),mc=/'/g,fc=/"/g,bc=/^(?:script|style|textarea|title)$/i,va=i=>(s,...e)=>({_$litType$:i,strings:s,values:e}),c=va(1),Q=va(2),zv=va(3),gi=Symbol.for("lit-noChange"),g=Symbol.for("lit-nothing"),gc=new WeakMap,mi=fi.createTreeWalker(fi,129);function yc(i,s){if(!ga(i)||!i.hasOwnProperty("raw"))throw Error("invalid template strings array");return pc!==void 0?pc.createHTML(s):s}var $c=(i,s)=>{let e=i.length-1,t=[],r,n=s===2?"<svg>":s===3?"<math>":"",o=Ir;for(let a=0;a<e;a++){let d=i[a],h,b,v=-1,w=0;for(;w<d.length&&(o.lastIndex=w,b=o.exec(d),b!==null);)w=o.lastIndex,o===Ir?b[1]==="!--"?o=hc:b[1]!==void 0?o=uc:b[2]!==void 0?(bc.test(b[2])&&(r=RegExp("</"+b[2],"g")),o=ui):b[3]!==void 0&&(o=ui):o===ui?b[0]===">"?(o=r??Ir,v=-1):b[1]===void 0?v=-2:(v=o.lastIndex-b[2].length,h=b[1],o=b[3]===void 0?ui:b[3]==='"'?fc:mc):o===fc||o===mc?o=ui:o===hc||o===uc?o=Ir:(o=ui,r=void 0);let T=o===ui&&i[a+1].startsWith("/>")?" ":"";n+=o===Ir?d+Gu:v>=0?(t.push(h),d.slice(0,v)+ma+d.slice(v)+ws+T):d+ws+(v===-2?a:T)}return[yc(i,n+(i[e]||"<?>")+(s===2?"</svg>":s===3?"</math>":"")),t]},Ur=class i{constructor({strings:s,_$litType$:e},t){let r;this.parts=[];let n=0,o=0,a=s.length-1,d=this.parts,[h,b]=$c(s,e);if(this.el=i.createElement(h,t),mi.currentNode=this.el.content,e===2||e===3){let v=this.el.content.firstChild;v.replaceWith(...v.childNodes)}for(;(r=mi.nextNode())!==null&&d.length<a;){if(r.nodeType===1){if(r.hasAttributes())for(let v of r.getAttributeNames())if(v.endsWith(ma)){let w=b[o++],T=r.getAttribute(v).split(ws),R=/([.?@])?(.*)/.exec(w);d.push({type:1,index:n,name:R[2],strings:T,ctor:R[1]==="."?An:R[1]==="?"?Ln:R[1]==="@"?Rn:bi}),r.removeAttribute(v)}else v.startsWith(ws)&&(d.push({type:6,index:n}),r.removeAttribute(v));if(bc.test(r.tagName)){let v=r.textContent.split(ws),w=v.length-1;if(w>0){r.textContent=_n?_n.emptyScript:"";for(let T=0;T<w;T++)r.append(v[T],Hr()),mi.nextNode(),d.push({type:2,index:++n});r.append(v[w],Hr())}}}else if(r.nodeType===8)if(r.data===fa)d.push({type:2,index:n});else{let v=-1;for(;(v=r.data.indexOf(ws,v+1))!==-1;)d.push({type:7,index:n}),v+=ws.length-1}n++}}static createElement(s,e){let t=fi.createElement("template");return t.innerHTML=s,t}};function vi(i,s,e=i,t){if(s===gi)return s;let r=t!==void 0?e._$Co?.[t]:e._$Cl,n=qr(s)?void 0:s._$litDirective$;return r?.constructor!==n&&(r?._$AO?.(!1),n===void 0?r=void 0:(r=new n(i),r._$AT(i,e,t)),t!==void 0?(e._$Co??=[])[t]=r:e._$Cl=r),r!==void 0&&(s=vi(i,r._$AS(i,s.values),r,t)),s}var Mn=class{constructor(s,e){this._$AV=[],this._$AN=void 0,this._$AD=s,this._$AM=e}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(s){let{el:{content:e},parts:t}=this._$AD,r=(s?.creationScope??fi).importNode(e,!0);mi.currentNode=r;let n=mi.nextNode(),o=0,a=0,d=t[0];for(;d!==void 0;){if(o===d.index){let h;d.type===2?h=new Xi(n,n.nextSibling,this,s):d.type===1?h=new d.ctor(n,d.name,d.strings,this,s):d.type===6&&(h=new Cn(n,this,s)),this._$AV.push(h),d=t[++a]}o!==d?.index&&(n=mi.nextNode(),o++)}return mi.currentNode=fi,r}p(s){let e=0;for(let t of this._$AV)t!==void 0&&(t.strings!==void 0?(t._$AI(s,t,e),e+=t.strings.length-2):t._$AI(s[e])),e++}},Xi=class i{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(s,e,t,r){this.type=2,this._$AH=g,this._$AN=void 0,this._$AA=s,this._$AB=e,this._$AM=t,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let s=this._$AA.parentNode,e=this._$AM;return e!==void 0&&s?.nodeType===11&&(s=e.parentNode),s}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(s,e=this){s=vi(this,s,e),qr(s)?s===g||s==null||s===""?(this._$AH!==g&&this._$AR(),this._$AH=g):s!==this._$AH&&s!==gi&&this._(s):s._$litType$!==void 0?this.$(s):s.nodeType!==void 0?this.T(s):vc(s)?this.k(s):this._(s)}O(s){return this._$AA.parentNode.insertBefore(s,this._$AB)}T(s){this._$AH!==s&&(this._$AR(),this._$AH=this.O(s))}_(s){this._$AH!==g&&qr(this._$AH)?this._$AA.nextSibling.data=s:this.T(fi.createTextNode(s)),this._$AH=s}$(s){let{values:e,_$litType$:t}=s,r=typeof t=="number"?this._$AC(s):(t.el===void 0&&(t.el=Ur.createElement(yc(t.h,t.h[0]),this.options)),t);if(this._$AH?._$AD===r)this._$AH.p(e);else{let n=new Mn(r,this),o=n.u(this.options);n.p(e),this.T(o),this._$AH=n}}_$AC(s){let e=gc.get(s.strings);return e===void 0&&gc.set(s.strings,e=new Ur(s)),e}k(s){ga(this._$AH)||(this._$AH=[],this._$AR());let e=this._$AH,t,r=0;for(let n of s)r===e.length?e.push(t=new i(this.O(Hr()),this.O(Hr()),this,this.options)):t=e[r],t._$AI(n),r++;r<e.length&&(this._$AR(t&&t._$AB.nextSibling,r),e.length=r)}_$AR(s=this._$AA.nextSibling,e){for(this._$AP?.(!1,!0,e);s!==this._$AB;){let t=dc(s).nextSibling;dc(s).remove(),s=t}}setConnected(s){this._$AM===void 0&&(this._$Cv=s,this._$AP?.(s))}},bi=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(s,e,t,r,n){this.type=1,this._$AH=g,this._$AN=void 0,this.element=s,this.name=e,this._$AM=r,this.options=n,t.length>2||t[0]!==""||t[1]!==""?(this._$AH=Array(t.length-1).fill(new String),this.strings=t):this._$AH=g}_$AI(s,e=this,t,r){let n=this.strings,o=!1;if(n===void 0)s=vi(this,s,e,0),o=!qr(s)||s!==this._$AH&&s!==gi,o&&(this._$AH=s);else{let a=s,d,h;for(s=n[0],d=0;d<n.length-1;d++)h=vi(this,a[t+d],e,d),h===gi&&(h=this._$AH[d]),o||=!qr(h)||h!==this._$AH[d],h===g?s=g:s!==g&&(s+=(h??"")+n[d+1]),this._$AH[d]=h}o&&!r&&this.j(s)}j(s){s===g?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,s??"")}},An=class extends bi{constructor(){super(...arguments),this.type=3}j(s){this.element[this.name]=s===g?void 0:s}},Ln=class extends bi{constructor(){super(...arguments),this.type=4}j(s){this.element.toggleAttribute(this.name,!!s&&s!==g)}},Rn=class extends bi{constructor(s,e,t,r,n){super(s,e,t,r,n),this.type=5}_$AI(s,e=this){if((s=vi(this,s,e,0)??g)===gi)return;let t=this._$AH,r=s===g&&t!==g||s.capture!==t.capture||s.once!==t.once||s.passive!==t.passive,n=s!==g&&(t===g||r);r&&this.element.removeEventListener(this.name,this,t),n&&this.element.addEventListener(this.name,this,s),this._$AH=s}handleEvent(s){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,s):this._$AH.handleEvent(s)}},Cn=class{constructor(s,e,t){this.element=s,this.type=6,this._$AN=void 0,this._$AM=e,this.options=t}get _$AU(){return this._$AM._$AU}_$AI(s){vi(this,s)}},wc={M:ma,P:ws,A:fa,C:1,L:$c,R:Mn,D:vc,V:vi,I:Xi,H:bi,N:Ln,U:Rn,B:An,F:Cn},Iu=ua.litHtmlPolyfillSupport;Iu?.(Ur,Xi),(ua.litHtmlVersions??=[]).push("3.3.3");var xc=(i,s,e)=>{let t=e?.renderBefore??s,r=t._$litPart$;if(r===void 0){let n=e?.renderBefore??null;t._$litPart$=r=new Xi(s.insertBefore(Hr(),n),n,void 0,e??{})}return r._$AI(i),r};var ba=globalThis,_=class extends $s{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let s=super.createRenderRoot();return this.renderOptions.renderBefore??=s.firstChild,s}update(s){let e=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(s),this._$Do=xc(e,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return gi}};_._$litElement$=!0,_.finalized=!0,ba.litElementHydrateSupport?.({LitElement:_});var Hu=ba.litElementPolyfillSupport;Hu?.({LitElement:_});(ba.litElementVersions??=[]).push("4.2.2");var L=i=>(s,e)=>{e!==void 0?e.addInitializer(()=>{customElements.define(i,s)}):customElements.define(i,s)};var qu={attribute:!0,type:String,converter:Gr,reflect:!1,hasChanged:Tn},Uu=(i=qu,s,e)=>{let{kind:t,metadata:r}=e,n=globalThis.litPropertyMetadata.get(r);if(n===void 0&&globalThis.litPropertyMetadata.set(r,n=new Map),t==="setter"&&((i=Object.create(i)).wrapped=!0),n.set(e.name,i),t==="accessor"){let{name:o}=e;return{set(a){let d=s.get.call(this);s.set.call(this,a),this.requestUpdate(o,d,i,!0,a)},init(a){return a!==void 0&&this.C(o,void 0,i,a),a}}}if(t==="setter"){let{name:o}=e;return function(a){let d=this[o];s.call(this,a),this.requestUpdate(o,d,i,!0,a)}}throw Error("Unsupported decorator location: "+t)};function k(i){return(s,e)=>typeof e=="object"?Uu(i,s,e):((t,r,n)=>{let o=r.hasOwnProperty(n);return r.constructor.createProperty(n,t),o?Object.getOwnPropertyDescriptor(r,n):void 0})(i,s,e)}function x(i){return k({...i,state:!0,attribute:!1})}var yi=(i,s,e)=>(e.configurable=!0,e.enumerable=!0,Reflect.decorate&&typeof s!="object"&&Object.defineProperty(i,s,e),e);function Vs(i,s){return(e,t,r)=>{let n=o=>o.renderRoot?.querySelector(i)??null;if(s){let{get:o,set:a}=typeof t=="object"?e:r??(()=>{let d=Symbol();return{get(){return this[d]},set(h){this[d]=h}}})();return yi(e,t,{get(){let d=o.call(this);return d===void 0&&(d=n(this),(d!==null||this.hasUpdated)&&a.call(this,d)),d}})}return yi(e,t,{get(){return n(this)}})}}var rt=class extends Error{constructor(e,t,r={}){super(e);this.status=t;this.errors=r}},zu=503,kc=1e3,Wu=5e3,On="The studio does not answer. Is the command boardgym studio still running?",Ku="The studio does not answer, or has refused a file of this size.",ya=class extends EventTarget{constructor(){super(...arguments);this.isLost=!1;this.isAsking=!1}set(e){e!==this.isLost&&(this.isLost=e,this.dispatchEvent(new Event("change"))),e&&!this.isAsking&&this.ask()}async ask(){for(this.isAsking=!0;this.isLost;)await Sc(kc),await fetch("/api/ready").then(async t=>(await t.json()).ready,()=>!1)&&this.set(!1);this.isAsking=!1}},Gs=new ya,Sc=i=>new Promise(s=>setTimeout(s,i));function Yu(i){return i===void 0?{}:i instanceof FormData?{body:i}:i instanceof Blob?{body:i,headers:{"Content-Type":"application/octet-stream"}}:{body:JSON.stringify(i),headers:{"Content-Type":"application/json"}}}async function zr(i,s,e,t){for(;;){let r;try{r=await fetch(`/api${s}`,{method:i,signal:t,...Yu(e)})}catch(n){throw t?.aborted?n:(Gs.set(!0),new rt(e instanceof Blob||e instanceof FormData?Ku:On,0))}if(r.status!==zu)return Gs.set(!1),Ju(r);await Sc(150)}}async function Ju(i){if(i.ok)return i;let s=await i.json().catch(()=>null);throw new rt(s?.error??`The studio answered ${i.status}.`,i.status,s?.errors)}async function Wr(i,s,e){let t=await zr(i,s,e);return t.status===204?void 0:await t.json()}var me=i=>Wr("GET",i),Oe=(i,s={})=>Wr("POST",i,s),Is=i=>Wr("DELETE",i);function $i(i){let s=i instanceof rt?i.errors:{},e=Object.keys(s).some(t=>t!=="");return{errors:s,message:s[""]??(e?"The marked fields cannot stay as they are.":G(i))}}var G=i=>i instanceof Error?i.message:String(i);function Hs(i,s,e){let t,r,n,o=()=>{clearTimeout(r),!(t&&t.readyState!==EventSource.CLOSED)&&(t=new EventSource(`/api${i}`),t.onmessage=h=>s(JSON.parse(h.data)),t.onopen=()=>{Gs.set(!1),e?.(!1)},t.onerror=()=>{t?.readyState===EventSource.CLOSED&&(r=setTimeout(o,kc)),fetch("/api/ready").catch(()=>Gs.set(!0)),e?.(!0)})},a=()=>{clearTimeout(r),clearTimeout(n),t?.close()},d=()=>{if(clearTimeout(n),!document.hidden)return o();n=setTimeout(a,Wu)};return document.addEventListener("visibilitychange",d),o(),()=>{document.removeEventListener("visibilitychange",d),a()}}var Dn=["system","light","dark"],Zu={system:"light dark",light:"light",dark:"dark"},$a="boardgym-theme",wa="boardgym-colour-blind";function Ec(i){try{return localStorage.getItem(i)}catch{return null}}function Pc(i,s){try{localStorage.setItem(i,s)}catch{}}var xa=class extends EventTarget{constructor(){super();this.theme=Dn.find(e=>e===Ec($a))??"system";this.isColourBlind=Ec(wa)==="yes";this.show(),addEventListener("storage",e=>this.follow(e))}setTheme(e){this.theme=e,Pc($a,e),this.show()}setColourBlind(e){this.isColourBlind=e,Pc(wa,e?"yes":"no"),this.show()}follow(e){e.key===$a&&(this.theme=Dn.find(t=>t===e.newValue)??"system"),e.key===wa&&(this.isColourBlind=e.newValue==="yes"),this.show()}show(){document.documentElement.style.colorScheme=Zu[this.theme],this.dispatchEvent(new Event("change"))}},Yt=new xa,Be=class{constructor(s){this.host=s;this.changed=()=>this.host.requestUpdate();s.addController(this)}get palette(){return Yt.isColourBlind?"colour-blind":""}hostConnected(){Yt.addEventListener("change",this.changed)}hostDisconnected(){Yt.removeEventListener("change",this.changed)}};var ka=i=>i.replace(/-v\d+$/,"");function ds(i,s,e,t){let r=new URLSearchParams({game:ka(s)});for(let[n,o]of Object.entries(e))r.append("option",`${n}=${o}`);for(let[n,o]of Object.entries(t))o&&r.set(n,o);return`#/${i}?${r}`}var Nn=(i,s)=>i.length>=s.length&&s.every((e,t)=>i[t]===e),Kr=(i,s)=>i.filter(({clicks:e})=>e.some(t=>Nn(t,s))),Tc=(i,s)=>i.filter(({clicks:e})=>e.some(t=>t.length===s.length&&Nn(t,s)));function Yr(i,s){let e=new Set;for(let{clicks:t}of i)for(let r of t)r.length>s.length&&Nn(r,s)&&e.add(r[s.length]);return e}function jn(i,s){let e=new Set;for(let{clicks:t}of i)for(let r of t)r.length===s.length+1&&Nn(r,s)&&e.add(r[s.length]);return e}function er(i,s,e){let t=[...s,e],r=Kr(i,t);if(r.length===0)return Qu(i,s,e);let n=Tc(i,t);return n.length===0?{kind:"chosen",places:t}:n.length===1&&r.length===1?{kind:"play",action:n[0].action}:{kind:"ask",places:t,actions:n}}function Qu(i,s,e){if(s.length>0&&s.at(-1)===e){let t=Tc(i,s);return t.length===1?{kind:"play",action:t[0].action}:{kind:"chosen",places:[]}}return s.length>0&&Kr(i,[e]).length>0?er(i,[],e):{kind:"refused",places:[...s,e]}}function _c(i,s,e,t){if(s.at(-1)===e&&Kr(i,[...s,t]).length>0)return er(i,s,t);let r=er(i,s.includes(e)?[]:s,e);return r.kind==="chosen"||r.kind==="ask"?er(i,r.places,t):r}var Mc=i=>i.filter(({clicks:s})=>s.length===0);function Ac(i,s){let e=n=>n.toLowerCase().replace(/\s+/g,""),t=i.filter(({move:n})=>n===s.trim()),r=t.length>0?t:i.filter(({move:n})=>e(n)===e(s));return r.length===1?r[0]:null}var Lc=(i,s)=>({size:i.size,flipped:s});function Xe({size:i,flipped:s},e,t){return s?[i[0]-e,i[1]-t]:[e,t]}function Fn(i,s){let e=[];for(let t=0;t+1<s.length;t+=2)e.push(Xe(i,s[t],s[t+1]).join(","));return e.join(" ")}function Bn(i,s,e,t,r){return i.flipped?Xe(i,s+t,e+r):[s,e]}function Sa([i,s],[e,t]){let r=Math.hypot(e-i,t-s)||1;return[(e-i)/r,(t-s)/r]}var Xu=20;function Rc(i,s){let e=i.map(({middle:r},n)=>({place:n,at:Xe(s,...r)}));e.sort((r,n)=>r.at[1]-n.at[1]);let t=[];for(let r of e){let n=t.at(-1);n&&r.at[1]-n[0].at[1]<=Xu?n.push(r):t.push([r])}return t.map(r=>r.sort((n,o)=>n.at[0]-o.at[0]).map(({place:n})=>n))}var em=["ArrowUp","ArrowRight","ArrowDown","ArrowLeft"];function Cc(i,s,e,t,r){let n=em.indexOf(t);if(n>=0)return i.places[e].neighbours[(r?n+2:n)%4];let o=s.find(a=>a.includes(e));if(t==="Home")return o?.[0];if(t==="End")return o?.at(-1)}function tm(i){let s=i.places.map(()=>[]);return i.place_of_spot.forEach((e,t)=>{e>=0&&s[e]?.push(t)}),s}var sm={hole:"disc",label:""};function im(i,s){let e=i.filter(d=>d!==null),t=e[0];if(!t)return"empty";let r=sm[t.kind]??t.kind;if(t.kind==="card"||t.kind==="die"||t.kind==="label")return e.map(({label:d})=>`${r} ${d}`.trim()).join(", ")||r;let n=e.map(({label:d})=>Number(d)).filter(d=>d>0),o=Math.max(e.length,...n),a=s[t.colour]??"";return o>1?`${o} ${a} ${r}s`:`${a} ${r}`.trim()}function Oc(i,s,e,t){let r=t?Yr(s.actions,e):new Set,n=jn(s.actions,e),o=tm(i);return i.places.map(({name:a},d)=>{let h=[a,im(o[d].map(b=>s.pieces[b]??null),i.seats)];return e.includes(d)&&h.push("chosen"),r.has(d)&&h.push(n.has(d)?"legal move":"can move"),o[d].some(b=>s.moved.includes(b))&&h.push("last move"),o[d].some(b=>s.winning.includes(b))&&h.push("winning"),h.join(", ")})}var Vn=class{constructor(s,e){this.root=s;this.listener=e;this.from=-1;this.start=[0,0];this.isDrag=!1;this.down=s=>{!s.isPrimary||s.button!==0||(this.from=Dc(s.target),this.start=[s.clientX,s.clientY],this.isDrag=!1)};this.move=s=>{if(this.from<0||!s.isPrimary)return;if(s.buttons===0)return this.cancel();let e=s.currentTarget;if(!this.isDrag){if(!(Math.hypot(s.clientX-this.start[0],s.clientY-this.start[1])>6)||!this.listener.piece(this.from))return;this.isDrag=!0,e.setPointerCapture(s.pointerId)}this.listener.shown(this.from,this.under(s)),this.follow(e,s)};this.up=s=>{let{from:e,isDrag:t}=this;this.cancel();let r=this.under(s);e<0||r<0||(e===r?this.listener.clicked(r):t&&this.listener.dragged(e,r))};this.cancel=()=>{this.isDrag&&this.listener.shown(-1,-1),this.from=-1,this.isDrag=!1}}under(s){return Dc(this.root().elementFromPoint(s.clientX,s.clientY))}follow(s,e){let t=s.getScreenCTM();if(!t)return;let{x:r,y:n}=new DOMPoint(e.clientX,e.clientY).matrixTransform(t.inverse());s.querySelector(".ghost")?.setAttribute("transform",`translate(${r} ${n})`)}};function Dc(i){let s=i instanceof Element?i.closest("[data-place]"):null;return s?Number(s.getAttribute("data-place")):-1}var Nc=P`
:host { display: block; position: relative; max-width: 100%; --hint: var(--boardgym-hint, #7a3ff2); }
:host([hidden]) { display: none; }
.frame { position: relative; }
.board { display: block; max-width: 100%; height: auto; max-height: var(--boardgym-board-height, 80vh); font: 600 16px system-ui, sans-serif;
user-select: none; -webkit-user-select: none; touch-action: manipulation; -webkit-tap-highlight-color: transparent; }
.drags { touch-action: none; }
text { font-variant-numeric: tabular-nums; }
.label { font-weight: 500; }
.under, .over { pointer-events: none; }
.mark { fill: none; stroke-width: 7.5; stroke-linecap: round; stroke-linejoin: round; }
.edge { stroke: #000; stroke-opacity: 0.35; stroke-width: 2; }
.groove { fill: none; stroke: #808080; stroke-opacity: 0.28; stroke-width: 2.5; }
.face { stroke: #3c3f45; stroke-width: 1.5; }
.face:not([fill]) { fill: #fdfcf8; }
.back { fill: none; stroke: #fff; stroke-opacity: 0.7; stroke-width: 2; }
.can { fill: none; stroke: var(--hint); stroke-width: 2.5; stroke-opacity: 0.55; }
.lifted { opacity: 0.3; }
.cell { outline: none; }
.area { fill: transparent; stroke: none; }
.acts .cell { cursor: pointer; }
.acts .cell.next:hover .area { fill: var(--hint); fill-opacity: 0.16; }
.cell.chosen .area { fill: var(--hint); fill-opacity: 0.3; }
.cell.aimed .area { fill: var(--hint); fill-opacity: 0.3; }
.cell:focus-visible .area { stroke: var(--hint); stroke-width: 4; stroke-opacity: 1; }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em 0.9em; min-height: 2.2em; padding: 0.4em 0 0; }
.status { display: flex; align-items: center; gap: 0.5em; font-weight: 600; margin: 0; }
.seat { width: 0.85em; height: 0.85em; flex: none; overflow: visible; }
.seat circle { stroke: light-dark(#0007, #fff9); stroke-width: 1.5; }
.notes { margin: 0; color: light-dark(#5b6169, #a3aab4); display: flex; flex-wrap: wrap; gap: 0 1em; }
.moves { display: flex; flex-wrap: wrap; gap: 0.4em; padding: 0.5em 0 0; max-height: 14em; overflow: auto; }
button, input { font: inherit; color: inherit; border: 1px solid light-dark(#c3c7ce, #4a505a); border-radius: 6px;
background: light-dark(#fff, #22252b); padding: 0.35em 0.75em; min-height: 2.3em; box-sizing: border-box; }
button { cursor: pointer; }
button:hover { border-color: var(--hint); }
button:focus-visible, input:focus-visible { outline: 2px solid var(--hint); outline-offset: 1px; }
.move .value { margin-left: 0.5em; font-variant-numeric: tabular-nums; color: light-dark(#5b6169, #a3aab4); }
.typed { margin-left: auto; display: flex; }
.typed input { width: 8.5em; }
.chooser { position: absolute; z-index: 2; display: flex; flex-wrap: wrap; gap: 0.4em; align-items: center; max-width: 90%;
padding: 0.5em; border-radius: 8px; background: light-dark(#fff, #2b2f36); box-shadow: 0 2px 14px #0006; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.blank { margin: 0; padding: 2em 1em; text-align: center; overflow-wrap: anywhere; border-radius: 8px;
background: light-dark(#f3f4f6, #22252b); font-family: ui-monospace, monospace; }
`;var rm=160,jc=(i,s)=>i?.kind===s?.kind&&i?.colour===s?.colour;function nm(i,s,e){let t=i.map((o,a)=>a).filter(o=>!jc(s[o]??null,e[o]??null)),r=new Set(t.filter(o=>s[o])),n=[];for(let o of t){let a=e[o]??null;if(a===null||a.kind==="die")continue;let d=b=>Math.hypot(i[b][0]-i[o][0],i[b][1]-i[o][1]),h=[...r].filter(b=>jc(s[b]??null,a)).sort((b,v)=>d(b)-d(v))[0];h!==void 0&&(r.delete(h),n.push({from:h,to:o}))}return n}function Fc(i,s,e,t,r){if(!matchMedia("(prefers-reduced-motion: reduce)").matches)for(let{from:n,to:o}of nm(s.spots,e.pieces,t.pieces)){let a=i.querySelector(`[data-spot="${o}"] > g`),[d,h]=Xe(r,...s.spots[n]),[b,v]=Xe(r,...s.spots[o]);a?.animate([{transform:`translate(${d-b}px, ${h-v}px)`},{transform:"none"}],{duration:rm,easing:"ease-out"})}}function Bc(i,s){i.querySelector(`[data-place="${s}"] .area`)?.animate([{fill:"#e8543f",fillOpacity:.45},{fill:"#e8543f",fillOpacity:0}],{duration:400})}function Gc(i,s,e,t){return i.shapes.filter(({kind:r})=>t||r!=="text").map(r=>om(r,s,e))}function om({kind:i,numbers:s,fill:e,stroke:t,width:r,text:n},o,a){let[d=0,h=0,b=0,v=0,w=0]=s,T=a.paint(e),R=a.paint(t);if(i==="rect"){let[M,K]=Bn(o,d,h,b,v);return Q`<rect x=${M} y=${K} width=${b} height=${v} rx=${w} fill=${T} stroke=${R} stroke-width=${r} />`}let[H,W]=Xe(o,d,h);if(i==="circle")return Q`<circle cx=${H} cy=${W} r=${b} fill=${T} stroke=${R} stroke-width=${r} />`;if(i==="text")return Q`<g class="label">${Jr(n,H,W,b,a.ink(e))}</g>`;let Z=Fn(o,s);return i==="line"?Q`<polyline points=${Z} fill="none" stroke=${R} stroke-width=${r} stroke-linejoin="round" />`:Q`<polygon points=${Z} fill=${T} stroke=${R} stroke-width=${r} stroke-linejoin="round" />`}var Vc=.72,am=.62;function Jr(i,s,e,t,r,n=1/0){let o=Math.min(t/Vc,n/(am*Math.max(i.length,1))),a=e+o*Vc/2;return Q`<text x=${s} y=${a} font-size=${o} fill=${r} text-anchor="middle">${i}</text>`}var Pa="#22252a",tr="#ffffff",sr="var(--boardgym-mark, #e8543f)",ir="var(--boardgym-hint, #7a3ff2)",qc="colour-blind",Ic=[["#0072b2","#e69f00","#cc79a7","#f0e442"],["#d55e00","#f0e442","#cc79a7","#e69f00"]];var lm=[192,57,43],cm=[201,204,209],dm=[30,132,73],pm=[213,94,0],hm=[0,114,178];function Gn(i){let s=/^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(i);return s?[parseInt(s[1],16),parseInt(s[2],16),parseInt(s[3],16)]:null}function Ea(i){let[s,e,t]=Gn(i)??[255,255,255];return .299*s+.587*e+.114*t}var In=i=>Ea(i)>140?Pa:tr;function um(i,s){let[e,t]=[Gn(i)??[0,0,0],Gn(s)??[0,0,0]];return Math.hypot(e[0]-t[0],e[1]-t[1],e[2]-t[2])}function mm(i){let s=Gn(i);return s!==null&&Math.max(...s)-Math.min(...s)>70}function Ta(i,s){let e=s===qc,t=i>0?e?hm:dm:e?pm:lm,r=Math.min(Math.abs(i),1);return"#"+cm.map((o,a)=>Math.round(o+(t[a]-o)*r)).map(o=>o.toString(16).padStart(2,"0")).join("")}var Hc=i=>`--boardgym-${i.replace(/[^a-z0-9-]/gi,"-")}`,qs=class{constructor(s,e){this.game=s;this.name=e;this.paints=new Map;let t=s.palette.board??"";this.vivid=Ic.find(r=>r.slice(0,s.seats.length).every(n=>um(n,t)>100))??Ic[0]}colour(s){let e=this.game.palette[s]??"#808080";return this.name===qc&&s.startsWith("piece-")&&mm(e)&&this.isOfSeats(s)?this.vivid[Number(s.slice(6))%this.vivid.length]:CSS.supports("color",e)?e:"#808080"}paint(s){if(s==="none")return s;let e=this.paints.get(s);return e===void 0&&(e=`var(${Hc(s)}, ${this.inBothSchemes(s)})`,this.paints.set(s,e)),e}ink(s){let e=this.colour(s);return`var(${Hc(s)}, light-dark(${e}, oklch(from ${e} max(l, 0.7) c h)))`}isOfSeats(s){return Number(s.slice(6))<this.game.seats.length}inBothSchemes(s){let e=this.colour(s);return s.startsWith("piece-")||Ea(e)<225||!this.hasBrightPieces()?e:`light-dark(${e}, oklch(from ${e} 0.29 calc(c * 0.7) h))`}hasBrightPieces(){return Object.keys(this.game.palette).filter(e=>e.startsWith("piece-")).every(e=>Ea(this.colour(e))>60)}};var Hn=12,fm=3,[gm,vm,bm]=[4.3,1.8,3.9],[Uc,ym]=[14,1/44],_a=({clicks:i,spots:s},e,t,r)=>s&&s.length>0?[...new Set([s[0],s.at(-1)])].map((n,o,a)=>Aa(n,-1,e,t,r,o===a.length-1)):zc(i[0]??[],e,t,r);function zc(i,s,e,t){let r=i.filter(d=>d in s.places);if(r.length===0)return[];let[n,o]=[r[0],r.at(-1)],a=La(o,s,e,t);return n===o?[a]:[Ra(n,s,e,t),a]}var Wc=(i,s)=>s.place_of_spot.flatMap((e,t)=>e===i?[t]:[]);function $m(i,s,e){let t=Wc(i,s);return t.find(r=>!e.pieces[r])??t.at(-1)??-1}function Ma(i,s,e){let t=Wc(i,s).filter(r=>e.pieces[r]);return t.findLast(r=>e.pieces[r]?.colour===e.to_play)??t.at(-1)??-1}var wm=26;function Aa(i,s,e,t,r,n){let[o,a]=Xe(r,...e.spots[i]??e.places[s].middle);return[o,a+(n&&t.pieces[i]?.label?wm:0)]}var La=(i,s,e,t)=>Aa($m(i,s,e),i,s,e,t,!0),Ra=(i,s,e,t)=>Aa(Ma(i,s,e),i,s,e,t,!1);function Ca([i,s]){return Q`<circle cx=${i} cy=${s} r="7" fill=${ir} fill-opacity="0.85" stroke=${tr} stroke-width="1.5" />`}function qn([i,s],e,t,r){if(!i)return Q``;if(!s)return Q`<circle cx=${i[0]} cy=${i[1]} r="28" fill="none" stroke=${e} stroke-width=${t} stroke-opacity=${r} />`;let[n,o]=Sa(i,s),[a,d]=[s[0]-Hn*n,s[1]-Hn*o],[h,b]=[-.6*Hn*o,.6*Hn*n],v=`M${i[0]+9*n} ${i[1]+9*o}L${a} ${d}`,w=`M${s[0]} ${s[1]}L${a+h} ${d+b}L${a-h} ${d-b}Z`;return Q`<g opacity=${r} stroke-linecap="round" stroke-linejoin="round" fill="none">
<path d=${v+w} stroke=${tr} stroke-width=${t+2.5} />
<path d=${v} stroke=${e} stroke-width=${t} /><path d=${w} fill=${e} /></g>`}function Kc(i,s,e,t){return i.map(r=>{if(typeof r=="number"){let o=e.actions.find(a=>a.action===r);return qn(o?_a(o,s,e,t):[],ir,7,.85)}let n=r.colour&&CSS.supports("color",r.colour)?r.colour:ir;return qn(zc(r.places,s,e,t),n,7,.85)})}function Yc(i,s,e){let t=new Map;for(let r of s.actions){let n=_a(r,i,s,e);n.length>0&&t.set(n.join(),n)}return[...t.values()].map(r=>r.length>1?qn(r,ir,4,.7):Ca(r[0]))}var Zr=i=>{let e=Math.abs(i)>1&&Number.isInteger(i)||Math.abs(i)>=10?i.toFixed(0):i.toFixed(2);return Number(e)===0?e.replace("-",""):i>0?`+${e}`:e.replace("-","−")};function xm(i,s,e,t){let r=new Map;for(let a of e.actions){let d=i[a.action],h=_a(a,s,e,t);d===void 0||!Number.isFinite(d)||h.length===0||d>(r.get(h.join())?.value??-1/0)&&r.set(h.join(),{way:h,value:d})}let n=[...r.values()].sort((a,d)=>d.value-a.value),o=n.filter(({way:a})=>a.length>1).slice(0,fm);return n.filter(a=>a.way.length===1||o.includes(a))}function Jc(i,s,e,t,r){let n=xm(i,s,e,t),o=Math.max(1,...n.map(({value:b})=>Math.abs(b))),a=Math.max(Uc,s.size[0]*ym),d=n.map(({way:b})=>b.at(-1).join()),h=[];for(let{way:b,value:v}of n.toReversed())b.length>1&&h.push(qn(b,Ta(v/o,r),7,1));for(let{way:b,value:v}of n.toReversed()){let[w,T]=b.at(-1),R=a;b.length>1&&d.filter(W=>W===b[1].join()).length>1&&(R=.8*a,[w,T]=[.35*b[0][0]+.65*w,.35*b[0][1]+.65*T]);let H=v===n[0].value;h.push(km(Zr(v),w,T,R,Ta(v/o,r),H))}return h}function km(i,s,e,t,r,n){let[o,a]=[gm*t,vm*t];return Q`<g class="tag"><rect x=${s-o/2} y=${e-a/2} width=${o} height=${a} rx="3" fill=${r}
stroke=${n?ir:tr} stroke-width=${n?5*t/Uc:1.5} />
${Jr(i,s,e,t,In(r),bm*t)}</g>`}function Zc(i,s,e){return s.lines.map(([t,r])=>{let[n,o]=[Xe(e,...i.spots[t]),Xe(e,...i.spots[r])],[a,d]=Sa(n,o),h=`M${n[0]-22*a} ${n[1]-22*d}L${o[0]+22*a} ${o[1]+22*d}`;return Q`<g fill="none" stroke-linecap="round"><path d=${h} stroke=${tr} stroke-width="12" />
<path d=${h} stroke=${Pa} stroke-width="7" /></g>`})}var Sm={1:"e",2:"ai",3:"aei",4:"acgi",5:"acegi",6:"acdfgi"};function Qr(i,s){let e=`piece-${i.colour}`,t=s.paint(e),r=In(s.colour(e)),n=(o,a,d)=>i.label?Jr(i.label,0,0,o,d,a):g;switch(i.kind){case"cross":return Q`<path d="M-15 -15L15 15M15 -15L-15 15" class="mark" stroke=${t} />${n(20,36,t)}`;case"ring":return Q`<circle r="17" class="mark" stroke=${t} />${n(20,36,t)}`;case"square":return Q`<rect x="-15" y="-15" width="30" height="30" class="mark" stroke=${t} />${n(20,36,t)}`;case"label":return Q`${n(22,56,t)}`;case"die":return Q`<rect x="-19" y="-19" width="38" height="38" rx="6" fill=${t} class="edge" />${Em(i.label,r)}`;case"card":return i.label?Q`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" />${n(24,29,t)}`:Q`<rect x="-22" y="-32" width="44" height="64" rx="6" class="face" fill=${t} />
<rect x="-16" y="-26" width="32" height="52" rx="3" class="back" />`;default:return Q`<circle r=${i.kind==="hole"?25:26} fill=${t} class="edge" />
<circle r="17.5" class="groove" />${n(20,36,r)}`}}function Em(i,s){return[...Sm[i]??""].map(e=>{let t=e.charCodeAt(0)-97;return Q`<circle cx=${11*(t%3-1)} cy=${11*(Math.floor(t/3)-1)} r="3.7" fill=${s} />`})}var Qc=i=>i.kind==="disc"||i.kind==="hole";function Xc(i,[s,e]){return i===null?Q`<circle cx=${s} cy=${e} r="15" fill="none" stroke=${sr} stroke-opacity="0.75" stroke-width="3" />`:Qc(i)||i.kind==="card"?g:Q`<rect x=${s-27} y=${e-27} width="54" height="54" rx="6" fill=${sr} fill-opacity="0.16" />`}function ed(i,[s,e]){return i===null?g:i.kind==="card"?Q`<rect x=${s-23.5} y=${e-33.5} width="47" height="67" rx="7.5" fill="none" stroke=${sr} stroke-width="3.5" />`:Qc(i)?i.label?Q`<circle cx=${s} cy=${e} r="27" fill="none" stroke=${sr} stroke-width="3.5" />`:Q`<circle cx=${s} cy=${e} r="6.5" fill=${sr} stroke="#ffffff" stroke-width="2" />`:g}function td({game:i,state:s,frame:e,palette:t,labels:r,lifted:n}){let o=i.spots.map(([h,b])=>Xe(e,h,b)),a=s.moved.map(h=>({piece:s.pieces[h]??null,at:o[h]})),d=s.pieces.map((h,b)=>{let[v,w]=o[b];return h===null?g:Q`<g data-spot=${b} class=${b===n?"lifted":""} transform="translate(${v} ${w})"><g>${Qr(h,t)}</g></g>`});return Q`<g class="under" aria-hidden="true">
${Gc(i,e,t,r)} ${a.map(h=>Xc(h.piece,h.at))}
${d} ${Zc(i,s,e)} ${a.map(h=>ed(h.piece,h.at))}
</g>`}function sd({game:i,state:s,frame:e,rows:t,interactive:r,chosen:n,focused:o,aimed:a}){let d=Oc(i,s,n,r),h=r?Yr(s.actions,n):new Set,b=v=>{let w=n.includes(v),T=["cell",h.has(v)&&"next",w&&"chosen",v===a&&"aimed"].filter(Boolean).join(" ");return Q`<g role="gridcell" class=${T} data-place=${v} aria-label=${d[v]} aria-selected=${w}
tabindex=${v===o?0:-1}>${Pm(i.places[v],e)}</g>`};return t.map(v=>Q`<g role="row">${v.map(b)}</g>`)}function Pm({area:{kind:i,numbers:s}},e){let[t=0,r=0,n=0,o=0]=s;if(i==="polygon")return Q`<polygon class="area" points=${Fn(e,s)} />`;if(i==="circle"){let[h,b]=Xe(e,t,r);return Q`<circle class="area" cx=${h} cy=${b} r=${n} />`}let[a,d]=Bn(e,t,r,n,o);return Q`<rect class="area" x=${a} y=${d} width=${n} height=${o} rx="4" />`}function id(i){let{game:s,state:e,frame:t,palette:r,arrows:n,values:o,lifted:a}=i,d=e.pieces[a]??null;return Q`<g class="over" aria-hidden="true">
${Tm(i)} ${Kc(n,s,e,t)} ${Jc(o,s,e,t,r.name)}
<g class="ghost">${d?Qr(d,r):g}</g>
</g>`}function Tm({game:i,state:s,frame:e,interactive:t,chosen:r,showLegal:n,values:o}){if(!n||Object.keys(o).length>0&&r.length===0)return[];if(!t)return Yc(i,s,e);let a=jn(s.actions,r);return[...Yr(s.actions,r)].map(d=>{if(a.has(d))return Ca(La(d,i,s,e));let[h,b]=Ra(d,i,s,e);return Q`<circle class="can" cx=${h} cy=${b} r="29" />`})}function rd(i,s){if(i.fen===s.fen&&i.ply===s.ply&&i.status===s.status)return null;let e=s.ply>i.ply?s.moves.slice(-(s.ply-i.ply)):[];return[e.length>0&&e.length<5?e.join(", "):s.last_move??"",s.status].filter(Boolean).join("; ")}function _m({outcome:i,to_play:s}){if(!i)return s??-1;let e=Math.max(...i.returns),t=i.returns.flatMap((r,n)=>r===e?[n]:[]);return t.length===1?t[0]:-1}function nd(i,s,e){let t=`piece-${_m(s)}`,r=Q`<circle cx="8" cy="8" r="7" fill=${e.paint(t)} />`;return c`<p class="status" part="status">
${t in i.palette?c`<svg class="seat" viewBox="0 0 16 16" aria-hidden="true">${r}</svg>`:g}
<span>${s.status}</span>
</p>`}var Mm=2,Am=2,Ne=class extends _{constructor(){super(...arguments);this.interactive=!1;this.flipped=!1;this.palette="";this.values={};this.arrows=[];this.showLegal=!0;this.labels=!0;this.typing=!0;this.chosen=[];this.asked=[];this.focused=0;this.lifted=-1;this.aimed=-1;this.said="";this.isPressed=!1;this.isExplored=!1;this.rows=[];this.dragging=new Vn(()=>this.renderRoot,{piece:e=>this.interactive&&Kr(this.actions,[e]).length>0,clicked:e=>this.clickPlace(e),dragged:(e,t)=>this.follow(_c(this.actions,this.chosen,e,t)),shown:(e,t)=>{this.lifted=this.game&&this.state?Ma(e,this.game,this.state):-1,this.aimed=t}})}get actions(){return this.state?.actions??[]}get frame(){return Lc(this.game,this.flipped)}get isDrawn(){return(this.game?.places.length??0)>0&&this.game.size[0]>0}willUpdate(e){let{game:t,state:r}=this;if(!t)return;(e.has("game")||e.has("palette"))&&(this.paints=new qs(t,this.palette)),(e.has("game")||e.has("flipped"))&&(this.rows=Rc(t.places,this.frame)),e.has("game")&&(this.focused=this.rows[0]?.[0]??0);let n=e.get("state");(e.has("state")&&(n?.fen!==r?.fen||n?.ply!==r?.ply)||e.has("interactive")||e.has("game"))&&this.clear(),r&&n&&(this.said=rd(n,r)??this.said)}updated(e){let t=e.get("state"),{game:r,state:n}=this;r&&n&&t&&!e.has("game")&&Math.abs(n.ply-t.ply)<=Am&&this.isDrawn&&Fc(this.renderRoot,r,t,n,this.frame),this.chooser&&this.putChooser(this.chooser)}render(){let{game:e,state:t,paints:r}=this;if(!e||!t||!r)return g;let n=this.isDrawn?this.interactive?Mc(t.actions):[]:t.actions;return c`
<div class="frame">
${this.isDrawn?c`<div @keydown=${this.onKey} @focusin=${this.onFocus}>${this.renderDrawing(e,t,r)}</div>`:c`<p class="blank">${t.fen}</p>`}
${this.asked.length>0?this.renderChooser():g}
</div>
<div class="line" part="line">${nd(e,t,r)} ${this.renderField()}</div>
${t.notes.length>0?c`<p class="notes" part="notes">${t.notes.map(o=>c`<span>${o}</span>`)}</p>`:g}
${n.length>0?c`<div class="moves" part="moves" role="group" aria-label="Moves">${n.map(o=>this.renderMove(o))}</div>`:g}
<div class="said" role="status" aria-live="polite">${this.said}</div>
`}renderDrawing(e,t,r){let n={...this.shown(),game:e,state:t,palette:r,frame:this.frame,rows:this.rows},o=this.interactive&&t.actions.some(({clicks:a})=>a.some(d=>d.length>1));return c`<svg
viewBox="0 0 ${e.size[0]} ${e.size[1]}"
width=${Mm*e.size[0]}
role="grid"
aria-label="${e.title}: ${t.status}"
class="board ${this.interactive&&t.actions.length>0?"acts":""} ${o?"drags":""}"
@pointerdown=${this.onPress}
@pointermove=${this.dragging.move}
@pointerup=${this.dragging.up}
@pointercancel=${this.dragging.cancel}
@click=${this.onClick}
>
${td(n)} ${sd(n)} ${id(n)}
</svg>`}shown(){let{interactive:e,chosen:t,focused:r,lifted:n,aimed:o,values:a,arrows:d,showLegal:h,labels:b}=this;return{interactive:e,chosen:t,focused:r,lifted:n,aimed:o,values:a,arrows:d,showLegal:h,labels:b}}renderMove(e){let t=this.values[e.action],r=t===void 0?g:c`<span class="value">${Zr(t)}</span>`;return c`<button class="move" ?disabled=${!this.interactive} @click=${()=>this.play(e.action)}>${e.move}${r}</button>`}renderField(){let e=this.field!=null&&this.renderRoot.activeElement===this.field;return!this.typing||!(e||this.interactive&&this.actions.length>0)?g:c`<form class="typed" part="typed" @submit=${this.onTyped}>
<input aria-label="Type a move, then Enter" placeholder="type a move" autocomplete="off" autocapitalize="off"
?readonly=${!this.interactive} spellcheck="false" maxlength="60" enterkeyhint="go" @keydown=${this.onFieldKey} />
</form>`}renderChooser(){return c`<div class="chooser" role="group" aria-label="Which move?" @keydown=${this.onChooserKey}>
${this.asked.map(e=>this.renderMove(e))}
<button class="cancel" aria-label="None of these" @click=${()=>this.clear()}>✕</button>
</div>`}putChooser(e){let[t,r]=this.game.size,[n,o]=Xe(this.frame,...this.game.places[this.chosen.at(-1)].middle),a=o>r*.6;Object.assign(e.style,{left:`clamp(0px, calc(${100*n/t}% - ${e.offsetWidth/2}px), calc(100% - ${e.offsetWidth}px))`,top:a?"auto":`${100*(o+36)/r}%`,bottom:a?`${100*(r-o+36)/r}%`:"auto"})}clickPlace(e){this.interactive?this.follow(er(this.actions,this.chosen,e)):this.tell("pick",{places:[e]})}follow(e){if(e.kind==="play")return this.play(e.action);if(e.kind==="refused")return this.refuse(e.places,"");let t=n=>this.game.places[n].name,r=this.asked.length>0;this.chosen=e.places,this.asked=e.kind==="ask"?e.actions:[],this.said=e.places.length>0?`${e.places.map(t).join(" ")} chosen`:"nothing chosen",!r&&this.asked.length>0&&this.updateComplete.then(()=>this.chooser?.querySelector("button")?.focus())}play(e){let{isExplored:t}=this;this.renderRoot.activeElement?.matches(".move")&&this.cell(this.focused)?.focus(),this.isExplored=t,this.clear(),this.tell("play",{action:e})}refuse(e,t){this.clear(),this.said=t?`${t} is no legal move here`:`no legal move: ${e.map(n=>this.game.places[n].name).join(" ")}`;let r=e.at(-1);r!==void 0&&Bc(this.renderRoot,r),this.tell("refused",{places:e,text:t})}clear(){this.chosen=[],this.asked=[]}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t,bubbles:!0,composed:!0}))}cell(e){return this.renderRoot.querySelector(`[data-place="${e}"]`)}onClick(e){let t=e.target.closest("[data-place]")?.getAttribute("data-place");e.detail===0&&t&&this.clickPlace(Number(t))}onPress(e){this.isPressed=!0,addEventListener("pointerup",()=>this.isPressed=!1,{once:!0}),this.dragging.down(e)}onFocus(e){this.isExplored=!this.isPressed;let t=e.target.getAttribute("data-place");t&&(this.focused=Number(t))}onKey(e){if(e.ctrlKey||e.metaKey||e.altKey||!this.game||!this.interactive&&!this.isExplored)return;let t=this.isExplored?Cc(this.game,this.rows,this.focused,e.key,this.flipped):void 0;if(t!==void 0)t>=0&&this.cell(t)?.focus();else if(e.key==="Enter"||e.key===" ")this.clickPlace(this.focused);else if(e.key==="Escape"&&this.chosen.length>0)this.follow({kind:"chosen",places:[]});else{e.key.length===1&&this.field?.focus();return}e.preventDefault(),e.stopPropagation()}onChooserKey(e){if(e.key!=="Escape")return;let t=this.chosen.at(-1);this.clear(),t!==void 0&&this.cell(t)?.focus(),e.stopPropagation()}onFieldKey(e){e.key==="Escape"&&(this.field.value="",this.cell(this.focused)?.focus()),e.stopPropagation()}onTyped(e){e.preventDefault();let t=this.field.value.trim();if(!t||!this.interactive)return;let r=Ac(this.actions,t);this.field.value="",r?this.play(r.action):this.refuse([],t)}};Ne.styles=Nc,u([k({attribute:!1})],Ne.prototype,"game",2),u([k({attribute:!1})],Ne.prototype,"state",2),u([k({type:Boolean,reflect:!0})],Ne.prototype,"interactive",2),u([k({type:Boolean,reflect:!0})],Ne.prototype,"flipped",2),u([k({reflect:!0})],Ne.prototype,"palette",2),u([k({attribute:!1})],Ne.prototype,"values",2),u([k({attribute:!1})],Ne.prototype,"arrows",2),u([k({attribute:!1})],Ne.prototype,"showLegal",2),u([k({attribute:!1})],Ne.prototype,"labels",2),u([k({attribute:!1})],Ne.prototype,"typing",2),u([x()],Ne.prototype,"chosen",2),u([x()],Ne.prototype,"asked",2),u([x()],Ne.prototype,"focused",2),u([x()],Ne.prototype,"lifted",2),u([x()],Ne.prototype,"aimed",2),u([x()],Ne.prototype,"said",2),u([Vs("input")],Ne.prototype,"field",2),u([Vs(".chooser")],Ne.prototype,"chooser",2),Ne=u([L("boardgym-board")],Ne);var Lm=i=>Object.entries(i).map(([s,e])=>`options=${encodeURIComponent(`${s}=${e}`)}`).join("&"),Us=()=>me("/games"),Un=(i,s)=>me(`/games/${encodeURIComponent(i)}?${Lm(s)}`),od=()=>me("/plays"),rr=i=>Oe("/plays",i),ad=i=>Oe("/positions/check",i),ld=i=>Oe("/positions",i),ft=i=>i?.kind==="human",zn=({state:i,movers:s})=>i.moves.map((e,t)=>({index:t+1,seat:s[t]??0,move:e}));function Wn(i,s){let e=i.seats[s];return ft(e)?i.seats.filter(ft).length===1?"You":"A person":e?.spec??""}async function nr(){try{let{bots:i}=await me("/bots");return i.filter(({has_agent:s})=>s).map(({id:s,name:e,game:t})=>({id:String(s),name:e,game:t}))}catch(i){if(i instanceof rt&&i.status===404)return[];throw i}}function Kn(i,s){let e=new Map(s.map(({id:t,name:r})=>[t,r]));return i.map(({spec:t})=>e.get(/[/\\]bots[/\\]([0-9a-f]+)[/\\]/.exec(t)?.[1]??"")??"")}async function Yn(i){return(await Oe(`/bots/${encodeURIComponent(i)}/snapshot`)).spec}var Rm=i=>i.places.length===i.spots.length&&i.place_of_spot.every((s,e)=>s===e);function cd(i){if(Rm(i))return i;let s=i.spots.map((e,t)=>({name:`${i.places[i.place_of_spot[t]??-1]?.name??""} spot ${t+1}`.trim(),area:{kind:"circle",numbers:[...e,28]},middle:e,neighbours:[Jn(i,t,0,-1),Jn(i,t,1,0),Jn(i,t,0,1),Jn(i,t,-1,0)]}));return{...i,places:s,place_of_spot:i.spots.map((e,t)=>t)}}function Jn(i,s,e,t){let[r,n]=i.spots[s]??[0,0],o=-1,a=1/0;for(let[d,[h,b]]of i.spots.entries()){let v=(h-r)*e+(b-n)*t,w=Math.abs((h-r)*t-(b-n)*e);v>0&&w<=v&&v+2*w<a&&([o,a]=[d,v+2*w])}return o}var C=P`
:host {
--page: light-dark(#ffffff, #16181c);
--surface: light-dark(#f3f4f6, #22252b);
--raised: light-dark(#ffffff, #2b2f36);
--edge: light-dark(#d4d7dc, #3a3f47);
--field-edge: light-dark(#868c95, #767d88);
--text: light-dark(#22252a, #e8eaed);
--quiet: light-dark(#5b6169, #a3aab4);
--accent: light-dark(#6a2fe0, #b79bff);
--on-accent: light-dark(#ffffff, #1b1233);
--tint: light-dark(#efe8fd, #332a4d);
--bad: light-dark(#b3261e, #ff9b93);
--bad-tint: light-dark(#fdecea, #43211f);
--good: light-dark(#1b7340, #7fd8a0);
--radius: 8px;
color: var(--text);
font: 15px/1.45 system-ui, sans-serif;
}
*,
*::before,
*::after {
box-sizing: border-box;
}
[hidden] {
display: none !important;
}
`,O=P`
h1,
h2,
h3 {
line-height: 1.2;
margin: 0 0 0.5rem;
text-wrap: balance;
}
h1 {
font-size: 1.5rem;
}
h2 {
font-size: 1.1rem;
}
h3 {
font-size: 1rem;
}
h1:focus {
outline: none;
}
p {
margin: 0 0 0.6rem;
}
a {
color: var(--accent);
}
button,
.button,
input,
select,
textarea {
font: inherit;
color: var(--text);
border: 1px solid var(--field-edge);
border-radius: var(--radius);
background: var(--raised);
min-height: 2.4rem;
padding: 0.3rem 0.7rem;
max-width: 100%;
}
button,
.button {
border-color: var(--edge);
cursor: pointer;
display: inline-flex;
align-items: center;
justify-content: center;
gap: 0.4rem;
text-decoration: none;
white-space: nowrap;
}
button:hover:not(:disabled),
.button:hover {
border-color: var(--accent);
}
button:disabled {
color: var(--quiet);
cursor: not-allowed;
opacity: 0.6;
}
button.primary,
.button.primary {
background: var(--accent);
border-color: var(--accent);
color: var(--on-accent);
font-weight: 600;
}
button[aria-pressed="true"] {
background: var(--tint);
border-color: var(--accent);
}
button.plain {
background: none;
border-color: transparent;
}
input[type="checkbox"],
input[type="radio"] {
min-height: 0;
width: 1.1rem;
height: 1.1rem;
accent-color: var(--accent);
}
:focus-visible {
outline: 2px solid var(--accent);
outline-offset: 2px;
}
label,
.label {
display: block;
font-weight: 600;
font-size: 0.9rem;
margin-bottom: 0.2rem;
}
.field {
margin-bottom: 0.8rem;
min-width: 0;
}
.field input:not([type="checkbox"], [type="radio"]),
.field select,
.field textarea {
width: 100%;
}
.help,
.quiet {
color: var(--quiet);
font-size: 0.87rem;
}
.error {
color: var(--bad);
background: var(--bad-tint);
border-radius: var(--radius);
padding: 0.5rem 0.75rem;
margin: 0 0 0.8rem;
overflow-wrap: anywhere;
}
.card {
background: var(--surface);
border-radius: 12px;
padding: 1rem;
min-width: 0;
}
.row {
display: flex;
flex-wrap: wrap;
gap: 0.5rem;
align-items: center;
}
code,
.mono {
font-family: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace;
font-size: 0.87em;
overflow-wrap: anywhere;
}
details > summary {
cursor: pointer;
padding: 0.25rem 0;
}
.visually-hidden {
position: absolute;
width: 1px;
height: 1px;
overflow: hidden;
clip-path: inset(50%);
white-space: nowrap;
}
@media (prefers-reduced-motion: no-preference) {
button,
.button {
transition:
border-color 0.12s,
background 0.12s;
}
}
`;var gt=class extends _{constructor(){super(...arguments);this.options={};this.gameId="";this.kinds=[];this.brush=1;this.seat=0;this.message="";this.fen="";this.preferences=new Be(this);this.asked=0}willUpdate(e){!e.has("game")||e.get("game")===this.game||(this.shown=cd(this.game),this.kinds=this.start.pieces.map(t=>this.kindOf(t)),this.brush=1,this.seat=Math.max(0,this.start.to_play??0),this.check())}kindOf(e){return e?1+(this.game.brush??[]).findIndex(t=>Cm(t,e)):0}paint(e){let t=this.kinds[e]===this.brush?0:this.brush;this.kinds=this.kinds.map((r,n)=>n===e?t:r),this.check()}clear(){this.kinds=this.kinds.map(()=>0),this.check()}async check(){let e=++this.asked;this.tell("");let t="",r="";try{({fen:t}=await ld({game:this.gameId,options:this.options,pieces:this.kinds,seat:this.seat}))}catch(n){r=G(n)}e!==this.asked||!this.isConnected||(this.message=r,this.tell(t))}tell(e){this.fen=e,this.dispatchEvent(new CustomEvent("fen",{detail:e}))}get board(){let e=this.game.brush??[],t=this.kinds.map(n=>e[n-1]??null),r=this.game.seats[this.seat]??"";return{...this.start,fen:this.fen,pieces:t,moved:[],winning:[],lines:[],notes:[],actions:[],status:`${r} to play`}}render(){return c`
<div class="row tools" role="group" aria-label="Piece to put on the board">
${(this.game.brush??[]).map((e,t)=>this.renderBrush(e,t+1))}
<button type="button" aria-pressed=${this.brush===0} @click=${()=>this.brush=0}>Empty</button>
<button type="button" @click=${()=>this.clear()}>Clear the board</button>
</div>
<div class="row tools">
<label class="inline" for="seat-to-play">To play</label>
<select
id="seat-to-play"
@change=${e=>{this.seat=e.target.selectedIndex,this.check()}}
>
${this.game.seats.map((e,t)=>c`<option .selected=${t===this.seat}>${e}</option>`)}
</select>
</div>
<div role="status">
${this.message?c`<p class="error">${this.message}</p>`:g}
${this.fen?c`<p class="ok">This position can be played.</p>`:g}
</div>
<boardgym-board
palette=${this.preferences.palette}
.game=${this.shown}
.state=${this.board}
.interactive=${!1}
.showLegal=${!1}
@pick=${e=>this.paint(e.detail.places[0]??-1)}
></boardgym-board>
`}renderBrush(e,t){let r=new qs(this.game,this.preferences.palette);return c`<button type="button" aria-pressed=${this.brush===t} @click=${()=>this.brush=t}>
<svg class="swatch" viewBox="-34 -34 68 68" aria-hidden="true">${Qr(e,r)}</svg>
${this.nameOf(e)}
</button>`}nameOf(e){let t=this.game.seats[e.colour]??`piece ${e.colour+1}`;return e.label?`${t} ${e.label}`:t}};gt.styles=[C,O,P`
:host {
display: block;
}
boardgym-board {
display: block;
max-width: 30rem;
margin: 0 auto;
}
.tools {
margin-bottom: 0.6rem;
}
.swatch {
width: 1.5rem;
height: 1.5rem;
}
.mark {
fill: none;
stroke-width: 7.5;
}
.edge {
stroke: #000;
stroke-opacity: 0.35;
stroke-width: 2;
}
.groove {
fill: none;
}
.inline {
margin: 0;
}
.ok {
color: var(--good);
}
`],u([k({attribute:!1})],gt.prototype,"game",2),u([k({attribute:!1})],gt.prototype,"start",2),u([k({attribute:!1})],gt.prototype,"options",2),u([k()],gt.prototype,"gameId",2),u([x()],gt.prototype,"kinds",2),u([x()],gt.prototype,"brush",2),u([x()],gt.prototype,"seat",2),u([x()],gt.prototype,"message",2),u([x()],gt.prototype,"fen",2),gt=u([L("boardgym-play-brush")],gt);var Cm=(i,s)=>i.kind===s.kind&&i.colour===s.colour&&i.label===s.label;var Om="ConnectFour-v0",Dm=["puct:1000","uct:1000"],Oa="bot:";function xs(i,s){return i.find(({id:t})=>t===s||ka(t)===s)??(s?void 0:i.find(({id:t})=>t===Om)??i[0])}var Zn=i=>Dm.find(s=>i.includes(s))??i.at(-1)??"random";function Qn(i){return{game:i.id,options:Object.fromEntries(Object.entries(i.options).map(([s,{value:e}])=>[s,e])),seats:i.seats.map((s,e)=>({who:e===0?"you":"policy",spec:Zn(i.policies)})),begin:"start",setup:i.setups.find(s=>s!=="standard")??"standard",fen:"",minutes:0,increment:0,seed:""}}function dd(i,s){let e=Qn(i);for(let o of s.getAll("option")){let[a="",d=""]=o.split(/=(.*)/s),h=i.options[a];h&&(e.options[a]=Xr(d,h.value))}let t=s.get("seats")?.split(";");t?.length===i.seats.length&&(e.seats=t.map(o=>Nm(i,o)));let r=s.get("fen"),n=s.get("setup");return r?Object.assign(e,{begin:"fen",fen:r}):n&&Object.assign(e,{begin:"setup",setup:n}),e}function Nm(i,s){return s==="human"?{who:"you",spec:Zn(i.policies)}:s.startsWith(Oa)?{who:"agent",spec:s.slice(Oa.length)}:{who:"policy",spec:s}}function Xr(i,s){return typeof s=="number"?Number(i):typeof s=="boolean"?i.toLowerCase()==="true":i}var pd=({who:i})=>i==="you"||i==="person";async function jm(i){return pd(i)?{kind:"human",spec:""}:{kind:"policy",spec:i.who==="agent"?await Yn(i.spec):i.spec.trim()}}var Fm=i=>pd(i)?"human":i.who==="agent"?Oa+i.spec:i.spec.trim();function Xn(i,s){return Object.fromEntries(Object.entries(s.options).filter(([e,t])=>i.options[e]?.value!==t))}async function hd(i,s){return{game:s.game,options:Xn(i,s),seats:await Promise.all(s.seats.map(jm)),...s.seed===""?{}:{seed:Number(s.seed)},...s.begin==="fen"||s.begin==="hand"?{position:s.fen.trim()}:{},...s.begin==="setup"?{setup:s.setup}:{},...s.minutes>0?{clock:{seconds:s.minutes*60,increment:s.increment}}:{}}}function ud(i,s){let e=JSON.stringify(s.seats)===JSON.stringify(Qn(i).seats);return ds("play",s.game,Xn(i,s),{setup:s.begin==="setup"?s.setup:"",fen:s.begin==="fen"||s.begin==="hand"?s.fen:"",seats:e?"":s.seats.map(Fm).join(";")})}var eo=(i,s,e)=>Object.entries(i.options).map(([t,r])=>Bm(t,r,s[t]??r.value,e));function Bm(i,{value:s,choices:e,range:t},r,n){let o=e??(typeof s=="boolean"?[!0,!1]:void 0),a=d=>n(i,Xr(d.target.value,s));return c`<div class="field">
<label for=${`option-${i}`}>${i.replaceAll("_"," ")}</label>
${o?c`<select id=${`option-${i}`} @change=${a}>
${o.map(d=>c`<option value=${String(d)} .selected=${d===r}>${Vm(d)}</option>`)}
</select>`:c`<input
id=${`option-${i}`}
type=${typeof s=="number"?"number":"text"}
min=${t?.[0]??g}
max=${t?.[1]??g}
maxlength="80"
.value=${String(r)}
@change=${a}
/>`}
</div>`}var Vm=i=>i===!0?"yes":i===!1?"no":i===""?"none":String(i).replaceAll("_"," ");var vt=class extends _{constructor(){super(...arguments);this.entries=[];this.game="";this.options={};this.moves=[];this.fen="";this.isByHand=!1;this.byHand="";this.pasted=""}willUpdate(e){e.has("game")&&(this.isByHand=!1)}begin(e){let t={game:this.game,options:this.options,start:null,moves:[],...e};this.dispatchEvent(new CustomEvent("begin",{detail:t}))}get entry(){return this.entries.find(({id:e})=>e===this.game)}render(){return c`
<div class="fields">
<div class="field">
<label for="game">Game</label>
<select id="game" @change=${e=>this.begin({game:e.target.value,options:{}})}>
${this.entries.map(({id:e,title:t})=>c`<option value=${e} .selected=${e===this.game}>${t}</option>`)}
</select>
</div>
</div>
${this.renderRules()} ${this.renderTexts()}
<p class="row">
<button @click=${()=>this.begin({})}>Standard start</button>
${this.position?.game.brush?c`<button aria-pressed=${this.isByHand} @click=${()=>this.isByHand=!this.isByHand}>Set up by hand</button>`:g}
</p>
${this.isByHand&&this.position?this.renderByHand(this.position):g}
`}renderRules(){if(!this.entry)return g;let e=eo(this.entry,this.options,(t,r)=>this.begin({options:{...this.options,[t]:r}}));return e.length===0?g:c`<details>
<summary>Rules</summary>
<div class="fields">${e}</div>
</details>`}renderTexts(){return c`
<div class="field">
<label for="fen">Position string</label>
<input
id="fen"
class="mono"
maxlength="4000"
autocomplete="off"
spellcheck="false"
.value=${this.fen}
@change=${e=>this.begin({start:e.target.value.trim()||null})}
/>
</div>
<form
class="field"
@submit=${e=>{e.preventDefault();let t=this.pasted.replace(/\d+\.(?=\s|\D|$)/g," ").split(/\s+/).filter(Boolean);this.begin({moves:t})}}
>
<label for="moves">Moves of a game, from the standard start</label>
<div class="load">
<input
id="moves"
class="mono"
maxlength="20000"
autocomplete="off"
spellcheck="false"
placeholder=${this.moves.join(" ")}
.value=${this.pasted}
@input=${e=>this.pasted=e.target.value}
/>
<button ?disabled=${!this.pasted.trim()}>Load</button>
</div>
</form>
`}renderByHand(e){return c`
<boardgym-play-brush
.game=${e.game}
.start=${e.state}
.options=${this.options}
.gameId=${this.game}
@fen=${t=>this.byHand=t.detail}
></boardgym-play-brush>
<p><button class="primary" ?disabled=${!this.byHand} @click=${()=>this.begin({start:this.byHand})}>Analyse this position</button></p>
`}};vt.styles=[C,O,P`
:host {
display: block;
}
.fields {
display: grid;
grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr));
gap: 0 0.8rem;
padding-top: 0.4rem;
}
.load {
display: grid;
grid-template-columns: minmax(0, 1fr) auto;
gap: 0.5rem;
}
`],u([k({attribute:!1})],vt.prototype,"entries",2),u([k()],vt.prototype,"game",2),u([k({attribute:!1})],vt.prototype,"options",2),u([k({attribute:!1})],vt.prototype,"moves",2),u([k()],vt.prototype,"fen",2),u([k({attribute:!1})],vt.prototype,"position",2),u([x()],vt.prototype,"isByHand",2),u([x()],vt.prototype,"byHand",2),u([x()],vt.prototype,"pasted",2),vt=u([L("boardgym-analyse-begin")],vt);var Gm="−",bt=i=>i==null?"–":Zr(i);function to({value:i,distance:s,score:e}){if(i===null)return"–";let t=i===1?"wins":i===-1?"loses":i===0?"draws":bt(i),r=s&&i!==0?` in ${s}`:"";return`${t}${r}${e!=null&&i!==0?` (${Im(e)})`:""}`}var Im=i=>i>0?`+${i}`:i<0?`${Gm}${-i}`:"0";function Hm(i){return i<1e4?i.toLocaleString("en"):i<1e6?`${(i/1e3).toFixed(0)} k`:`${(i/1e6).toFixed(1)} M`}function md(i){return[...[i.depth>0?`depth ${i.depth}`:"",i.nodes>0?`${Hm(i.nodes)} nodes`:""],`${i.elapsed.toFixed(1)} s`].filter(Boolean).join(" · ")}function fd(i){let s=i.moves.every(({score:t})=>t!=null),e={};for(let{action:t,value:r,score:n}of i.moves){let o=s?n:r;o!=null&&(e[t]=o)}return e}var qm="uplot",Um="u-hz",zm="u-vt",Wm="u-title",Km="u-wrap",Ym="u-under",Jm="u-over",Zm="u-axis",ki="u-off",Qm="u-select",Xm="u-cursor-x",ef="u-cursor-y",tf="u-cursor-pt",sf="u-legend",rf="u-live",nf="u-inline",of="u-series",af="u-marker",gd="u-label",lf="u-value",tn="width",sn="height";var vd="bottom",or="left",Da="right",Qa="#000",bd=Qa+"0",Na="mousemove",yd="mousedown",ja="mouseup",$d="mouseenter",wd="mouseleave",xd="dblclick",cf="resize",df="scroll",kd="change",oo="dppxchange",Xa="--",ur=typeof window<"u",Ia=ur?document:null,lr=ur?window:null,pf=ur?navigator:null,ye,so;function Ha(){let i=devicePixelRatio;ye!=i&&(ye=i,so&&Ua(kd,so,Ha),so=matchMedia(`(min-resolution: ${ye-.001}dppx) and (max-resolution: ${ye+.001}dppx)`),Si(kd,so,Ha),lr.dispatchEvent(new CustomEvent(oo)))}function Tt(i,s){if(s!=null){let e=i.classList;!e.contains(s)&&e.add(s)}}function qa(i,s){let e=i.classList;e.contains(s)&&e.remove(s)}function Ae(i,s,e){i.style[s]=e+"px"}function Jt(i,s,e,t){let r=Ia.createElement(i);return s!=null&&Tt(r,s),e?.insertBefore(r,t),r}function Bt(i,s){return Jt("div",i,s)}var Sd=new WeakMap;function ps(i,s,e,t,r){let n="translate("+s+"px,"+e+"px)",o=Sd.get(i);n!=o&&(i.style.transform=n,Sd.set(i,n),s<0||e<0||s>t||e>r?Tt(i,ki):qa(i,ki))}var Ed=new WeakMap;function Pd(i,s,e){let t=s+e,r=Ed.get(i);t!=r&&(Ed.set(i,t),i.style.background=s,i.style.borderColor=e)}var Td=new WeakMap;function _d(i,s,e,t){let r=s+""+e,n=Td.get(i);r!=n&&(Td.set(i,r),i.style.height=e+"px",i.style.width=s+"px",i.style.marginLeft=t?-s/2+"px":0,i.style.marginTop=t?-e/2+"px":0)}var el={passive:!0},hf={...el,capture:!0};function Si(i,s,e,t){s.addEventListener(i,e,t?hf:el)}function Ua(i,s,e,t){s.removeEventListener(i,e,el)}ur&&Ha();function Zt(i,s,e,t){let r;e=e||0,t=t||s.length-1;let n=t<=2147483647;for(;t-e>1;)r=n?e+t>>1:_t((e+t)/2),s[r]<i?e=r:t=r;return i-s[e]<=s[t]-i?e:t}function sp(i){return(e,t,r)=>{let n=-1,o=-1;for(let a=t;a<=r;a++)if(i(e[a])){n=a;break}for(let a=r;a>=t;a--)if(i(e[a])){o=a;break}return[n,o]}}var ip=i=>i!=null,rp=i=>i!=null&&i>0,co=sp(ip),uf=sp(rp);function mf(i,s,e,t=0,r=!1){let n=r?uf:co,o=r?rp:ip;[s,e]=n(i,s,e);let a=i[s],d=i[s];if(s>-1)if(t==1)a=i[s],d=i[e];else if(t==-1)a=i[e],d=i[s];else for(let h=s;h<=e;h++){let b=i[h];o(b)&&(b<a?a=b:b>d&&(d=b))}return[a??Se,d??-Se]}function po(i,s,e,t){let r=Ld(i),n=Ld(s);i==s&&(r==-1?(i*=e,s/=e):(i/=e,s*=e));let o=e==10?ks:np,a=r==1?_t:Vt,d=n==1?Vt:_t,h=a(o(Ue(i))),b=d(o(Ue(s))),v=cr(e,h),w=cr(e,b);return e==10&&(h<0&&(v=Ee(v,-h)),b<0&&(w=Ee(w,-b))),t||e==2?(i=v*r,s=w*n):(i=cp(i,v),s=ho(s,w)),[i,s]}function tl(i,s,e,t){let r=po(i,s,e,t);return i==0&&(r[0]=0),s==0&&(r[1]=0),r}var sl=.1,Md={mode:3,pad:sl},nn={pad:0,soft:null,mode:0},ff={min:nn,max:nn};function ao(i,s,e,t){return uo(e)?Ad(i,s,e):(nn.pad=e,nn.soft=t?0:null,nn.mode=t?3:0,Ad(i,s,ff))}function ve(i,s){return i??s}function gf(i,s,e){for(s=ve(s,0),e=ve(e,i.length-1);s<=e;){if(i[s]!=null)return!0;s++}return!1}function Ad(i,s,e){let t=e.min,r=e.max,n=ve(t.pad,0),o=ve(r.pad,0),a=ve(t.hard,-Se),d=ve(r.hard,Se),h=ve(t.soft,Se),b=ve(r.soft,-Se),v=ve(t.mode,0),w=ve(r.mode,0),T=s-i,R=ks(T),H=dt(Ue(i),Ue(s)),W=ks(H),Z=Ue(W-R);(T<1e-24||Z>10)&&(T=0,(i==0||s==0)&&(T=1e-24,v==2&&h!=Se&&(n=0),w==2&&b!=-Se&&(o=0)));let M=T||H||1e3,K=ks(M),D=cr(10,_t(K)),ae=M*(T==0?i==0?.1:1:n),I=Ee(cp(i-ae,D/10),24),le=i>=h&&(v==1||v==3&&I<=h||v==2&&I>=h)?h:Se,ie=dt(a,I<le&&i>=le?le:Qt(le,I)),pe=M*(T==0?s==0?.1:1:o),se=Ee(ho(s+pe,D/10),24),N=s<=b&&(w==1||w==3&&se>=b||w==2&&se<=b)?b:-Se,ne=Qt(d,se>N&&s<=N?N:dt(N,se));return ie==ne&&ie==0&&(ne=100),[ie,ne]}var vf=new Intl.NumberFormat(ur?pf.language:"en-US"),il=i=>vf.format(i),Mt=Math,no=Mt.PI,Ue=Mt.abs,_t=Mt.floor,qe=Mt.round,Vt=Mt.ceil,Qt=Mt.min,dt=Mt.max,cr=Mt.pow,Ld=Mt.sign,ks=Mt.log10,np=Mt.log2,bf=(i,s=1)=>Mt.sinh(i)*s,Fa=(i,s=1)=>Mt.asinh(i/s),Se=1/0;function Rd(i){return(ks((i^i>>31)-(i>>31))|0)+1}function za(i,s,e){return Qt(dt(i,s),e)}function op(i){return typeof i=="function"}function he(i){return op(i)?i:()=>i}var yf=()=>{},ap=i=>i,lp=(i,s)=>s,$f=i=>null,Cd=i=>!0,Od=(i,s)=>i==s,wf=/\.\d*?(?=9{6,}|0{6,})/gm,Ei=i=>{if(pp(i)||Ws.has(i))return i;let s=`${i}`,e=s.match(wf);if(e==null)return i;let t=e[0].length-1;if(s.indexOf("e-")!=-1){let[r,n]=s.split("e");return+`${Ei(r)}e${n}`}return Ee(i,t)};function wi(i,s){return Ei(Ee(Ei(i/s))*s)}function ho(i,s){return Ei(Vt(Ei(i/s))*s)}function cp(i,s){return Ei(_t(Ei(i/s))*s)}function Ee(i,s=0){if(pp(i))return i;let e=10**s,t=i*e*(1+Number.EPSILON);return qe(t)/e}var Ws=new Map;function dp(i){return((""+i).split(".")[1]||"").length}function an(i,s,e,t){let r=[],n=t.map(dp);for(let o=s;o<e;o++){let a=Ue(o),d=Ee(cr(i,o),a);for(let h=0;h<t.length;h++){let b=i==10?+`${t[h]}e${o}`:t[h]*d,v=(o>=0?0:a)+(o>=n[h]?0:n[h]),w=i==10?b:Ee(b,v);r.push(w),Ws.set(w,v)}}return r}var on={},rl=[],dr=[null,null],zs=Array.isArray,pp=Number.isInteger,xf=i=>i===void 0;function Dd(i){return typeof i=="string"}function uo(i){let s=!1;if(i!=null){let e=i.constructor;s=e==null||e==Object}return s}function kf(i){return i!=null&&typeof i=="object"}var Sf=Object.getPrototypeOf(Uint8Array),hp="__proto__";function pr(i,s=uo){let e;if(zs(i)){let t=i.find(r=>r!=null);if(zs(t)||s(t)){e=Array(i.length);for(let r=0;r<i.length;r++)e[r]=pr(i[r],s)}else e=i.slice()}else if(i instanceof Sf)e=i.slice();else if(s(i)){e={};for(let t in i)t!=hp&&(e[t]=pr(i[t],s))}else e=i;return e}function Ge(i){let s=arguments;for(let e=1;e<s.length;e++){let t=s[e];for(let r in t)r!=hp&&(uo(i[r])?Ge(i[r],pr(t[r])):i[r]=pr(t[r]))}return i}var Ef=0,Pf=1,Tf=2;function _f(i,s,e){for(let t=0,r,n=-1;t<s.length;t++){let o=s[t];if(o>n){for(r=o-1;r>=0&&i[r]==null;)i[r--]=null;for(r=o+1;r<e&&i[r]==null;)i[n=r++]=null}}}function Mf(i,s){if(Rf(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return Cf(o[0])||(o=Lf(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let d=i[o][0],h=d.length;for(let b=0;b<h;b++)e.add(d[b])}let t=[Array.from(e).sort((o,a)=>o-a)],r=t[0].length,n=new Map;for(let o=0;o<r;o++)n.set(t[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],d=a[0];for(let h=1;h<a.length;h++){let b=a[h],v=Array(r).fill(void 0),w=s?s[o][h]:Pf,T=[];for(let R=0;R<b.length;R++){let H=b[R],W=n.get(d[R]);H===null?w!=Ef&&(v[W]=H,w==Tf&&T.push(W)):v[W]=H}_f(v,T,r),t.push(v)}}return t}var Af=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function Lf(i){let s=i[0],e=s.length,t=Array(e);for(let n=0;n<t.length;n++)t[n]=n;t.sort((n,o)=>s[n]-s[o]);let r=[];for(let n=0;n<i.length;n++){let o=i[n],a=Array(e);for(let d=0;d<e;d++)a[d]=o[t[d]];r.push(a)}return r}function Rf(i){let s=i[0][0],e=s.length;for(let t=1;t<i.length;t++){let r=i[t][0];if(r.length!=e)return!1;if(r!=s){for(let n=0;n<e;n++)if(r[n]!=s[n])return!1}}return!0}function Cf(i,s=100){let e=i.length;if(e<=1)return!0;let t=0,r=e-1;for(;t<=r&&i[t]==null;)t++;for(;r>=t&&i[r]==null;)r--;if(r<=t)return!0;let n=dt(1,_t((r-t+1)/s));for(let o=i[t],a=t+n;a<=r;a+=n){let d=i[a];if(d!=null){if(d<=o)return!1;o=d}}return!0}var up=["January","February","March","April","May","June","July","August","September","October","November","December"],mp=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function fp(i){return i.slice(0,3)}var Of=mp.map(fp),Df=up.map(fp),Nf={MMMM:up,MMM:Df,WWWW:mp,WWW:Of};function en(i){return(i<10?"0":"")+i}function jf(i){return(i<10?"00":i<100?"0":"")+i}var Ff={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,s)=>s.MMMM[i.getMonth()],MMM:(i,s)=>s.MMM[i.getMonth()],MM:i=>en(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>en(i.getDate()),D:i=>i.getDate(),WWWW:(i,s)=>s.WWWW[i.getDay()],WWW:(i,s)=>s.WWW[i.getDay()],HH:i=>en(i.getHours()),H:i=>i.getHours(),h:i=>{let s=i.getHours();return s==0?12:s>12?s-12:s},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>en(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>en(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>jf(i.getMilliseconds())};function nl(i,s){s=s||Nf;let e=[],t=/\{([a-z]+)\}|[^{]+/gi,r;for(;r=t.exec(i);)e.push(r[0][0]=="{"?Ff[r[1]]:r[0]);return n=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](n,s);return o}}var Bf=new Intl.DateTimeFormat().resolvedOptions().timeZone;function Vf(i,s){let e;return s=="UTC"||s=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):s==Bf?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:s})),e.setMilliseconds(i.getMilliseconds())),e}var gp=i=>i%1==0,lo=[1,2,2.5,5],Gf=an(10,-32,0,lo),vp=an(10,0,32,lo),If=vp.filter(gp),xi=Gf.concat(vp),ol=`
`,bp="{YYYY}",Nd=ol+bp,yp="{M}/{D}",rn=ol+yp,io=rn+"/{YY}",$p="{aa}",Hf="{h}:{mm}",ar=Hf+$p,jd=ol+ar,Fd=":{ss}",we=null;function wp(i){let s=i*1e3,e=s*60,t=e*60,r=t*24,n=r*30,o=r*365,d=(i==1?an(10,0,3,lo).filter(gp):an(10,-3,0,lo)).concat([s,s*5,s*10,s*15,s*30,e,e*5,e*10,e*15,e*30,t,t*2,t*3,t*4,t*6,t*8,t*12,r,r*2,r*3,r*4,r*5,r*6,r*7,r*8,r*9,r*10,r*15,n,n*2,n*3,n*4,n*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),h=[[o,bp,we,we,we,we,we,we,1],[r*28,"{MMM}",Nd,we,we,we,we,we,1],[r,yp,Nd,we,we,we,we,we,1],[t,"{h}"+$p,io,we,rn,we,we,we,1],[e,ar,io,we,rn,we,we,we,1],[s,Fd,io+" "+ar,we,rn+" "+ar,we,jd,we,1],[i,Fd+".{fff}",io+" "+ar,we,rn+" "+ar,we,jd,we,1]];function b(v){return(w,T,R,H,W,Z)=>{let M=[],K=W>=o,D=W>=n&&W<o,ae=v(R),I=Ee(ae*i,3),le=Ba(ae.getFullYear(),K?0:ae.getMonth(),D||K?1:ae.getDate()),ie=Ee(le*i,3);if(D||K){let pe=D?W/n:0,se=K?W/o:0,N=I==ie?I:Ee(Ba(le.getFullYear()+se,le.getMonth()+pe,1)*i,3),ne=new Date(qe(N/i)),q=ne.getFullYear(),ee=ne.getMonth();for(let J=0;N<=H;J++){let ue=Ba(q+se*J,ee+pe*J,1),Y=ue-v(Ee(ue*i,3));N=Ee((+ue+Y)*i,3),N<=H&&M.push(N)}}else{let pe=W>=r?r:W,se=_t(R)-_t(I),N=ie+se+ho(I-ie,pe);M.push(N);let ne=v(N),q=ne.getHours()+ne.getMinutes()/e+ne.getSeconds()/t,ee=W/t,J=w.axes[T]._space,ue=Z/J;for(;N=Ee(N+W,i==1?0:3),!(N>H);)if(ee>1){let Y=_t(Ee(q+ee,6))%24,fe=v(N).getHours()-Y;fe>1&&(fe=-1),N-=fe*t,q=(q+ee)%24;let xe=M[M.length-1];Ee((N-xe)/W,3)*ue>=.7&&M.push(N)}else M.push(N)}return M}}return[d,h,b]}var[qf,Uf,zf]=wp(1),[Wf,Kf,Yf]=wp(.001);an(2,-53,53,[1]);function Bd(i,s){return i.map(e=>e.map((t,r)=>r==0||r==8||t==null?t:s(r==1||e[8]==0?t:e[1]+t)))}function Vd(i,s){return(e,t,r,n,o)=>{let a=s.find(R=>o>=R[0])||s[s.length-1],d,h,b,v,w,T;return t.map(R=>{let H=i(R),W=H.getFullYear(),Z=H.getMonth(),M=H.getDate(),K=H.getHours(),D=H.getMinutes(),ae=H.getSeconds(),I=W!=d&&a[2]||Z!=h&&a[3]||M!=b&&a[4]||K!=v&&a[5]||D!=w&&a[6]||ae!=T&&a[7]||a[1];return d=W,h=Z,b=M,v=K,w=D,T=ae,I(H)})}}function Jf(i,s){let e=nl(s);return(t,r,n,o,a)=>r.map(d=>e(i(d)))}function Ba(i,s,e){return new Date(i,s,e)}function Gd(i,s){return s(i)}var Zf="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Id(i,s){return(e,t,r,n)=>n==null?Xa:s(i(t))}function Qf(i,s){let e=i.series[s];return e.width?e.stroke(i,s):e.points.width?e.points.stroke(i,s):null}function Xf(i,s){return i.series[s].fill(i,s)}var eg={show:!0,live:!0,isolate:!1,mount:yf,markers:{show:!0,width:2,stroke:Qf,fill:Xf,dash:"solid"},idx:null,idxs:null,values:[]};function tg(i,s){let e=i.cursor.points,t=Bt(),r=e.size(i,s);Ae(t,tn,r),Ae(t,sn,r);let n=r/-2;Ae(t,"marginLeft",n),Ae(t,"marginTop",n);let o=e.width(i,s,r);return o&&Ae(t,"borderWidth",o),t}function sg(i,s){let e=i.series[s].points;return e._fill||e._stroke}function ig(i,s){let e=i.series[s].points;return e._stroke||e._fill}function rg(i,s){return i.series[s].points.size}var Va=[0,0];function ng(i,s,e){return Va[0]=s,Va[1]=e,Va}function ro(i,s,e,t=!0){return r=>{r.button==0&&(!t||r.target==s)&&e(r)}}function Ga(i,s,e,t=!0){return r=>{(!t||r.target==s)&&e(r)}}var og={show:!0,x:!0,y:!0,lock:!1,move:ng,points:{one:!1,show:tg,size:rg,width:0,stroke:ig,fill:sg},bind:{mousedown:ro,mouseup:ro,click:ro,dblclick:ro,mousemove:Ga,mouseleave:Ga,mouseenter:Ga},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,s)=>{s.stopPropagation(),s.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,s,e,t,r)=>t-r,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},xp={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},al=Ge({},xp,{filter:lp}),kp=Ge({},al,{size:10}),Sp=Ge({},xp,{show:!1}),ll='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Ep="bold "+ll,Pp=1.5,Hd={show:!0,scale:"x",stroke:Qa,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ep,side:2,grid:al,ticks:kp,border:Sp,font:ll,lineGap:Pp,rotate:0},ag="Value",lg="Time",qd={show:!0,scale:"x",auto:!1,sorted:1,min:Se,max:-Se,idxs:[]};function cg(i,s,e,t,r){return s.map(n=>n==null?"":il(n))}function dg(i,s,e,t,r,n,o){let a=[],d=Ws.get(r)||0;e=o?e:Ee(ho(e,r),d);for(let h=e;h<=t;h=Ee(h+r,d))a.push(Object.is(h,-0)?0:h);return a}function Wa(i,s,e,t,r,n,o){let a=[],d=i.scales[i.axes[s].scale].log,h=d==10?ks:np,b=_t(h(e));r=cr(d,b),d==10&&(r=xi[Zt(r,xi)]);let v=e,w=r*d;d==10&&(w=xi[Zt(w,xi)]);do a.push(v),v=v+r,d==10&&!Ws.has(v)&&(v=Ee(v,Ws.get(r))),v>=w&&(r=v,w=r*d,d==10&&(w=xi[Zt(w,xi)]));while(v<=t);return a}function pg(i,s,e,t,r,n,o){let d=i.scales[i.axes[s].scale].asinh,h=t>d?Wa(i,s,dt(d,e),t,r):[d],b=t>=0&&e<=0?[0]:[];return(e<-d?Wa(i,s,dt(d,-t),-e,r):[d]).reverse().map(w=>-w).concat(b,h)}var Tp=/./,hg=/[12357]/,ug=/[125]/,Ud=/1/,Ka=(i,s,e,t)=>i.map((r,n)=>s==4&&r==0||n%t==0&&e.test(r.toExponential()[r<0?1:0])?r:null);function mg(i,s,e,t,r){let n=i.axes[e],o=n.scale,a=i.scales[o],d=i.valToPos,h=n._space,b=d(10,o),v=d(9,o)-b>=h?Tp:d(7,o)-b>=h?hg:d(5,o)-b>=h?ug:Ud;if(v==Ud){let w=Ue(d(1,o)-b);if(w<h)return Ka(s.slice().reverse(),a.distr,v,Vt(h/w)).reverse()}return Ka(s,a.distr,v,1)}function fg(i,s,e,t,r){let n=i.axes[e],o=n.scale,a=n._space,d=i.valToPos,h=Ue(d(1,o)-d(2,o));return h<a?Ka(s.slice().reverse(),3,Tp,Vt(a/h)).reverse():s}function gg(i,s,e,t){return t==null?Xa:s==null?"":il(s)}var zd={show:!0,scale:"y",stroke:Qa,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:Ep,side:3,grid:al,ticks:kp,border:Sp,font:ll,lineGap:Pp,rotate:0};function vg(i,s){let e=3+(i||1)*2;return Ee(e*s,3)}function bg(i,s){let{scale:e,idxs:t}=i.series[0],r=i._data[0],n=i.valToPos(r[t[0]],e,!0),o=i.valToPos(r[t[1]],e,!0),a=Ue(o-n),d=i.series[s],h=a/(d.points.space*ye);return t[1]-t[0]<=h}var Wd={scale:null,auto:!0,sorted:0,min:Se,max:-Se},_p=(i,s,e,t,r)=>r,Kd={show:!0,auto:!0,sorted:0,gaps:_p,alpha:1,facets:[Ge({},Wd,{scale:"x"}),Ge({},Wd,{scale:"y"})]},Yd={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:_p,alpha:1,points:{show:bg,filter:null},values:null,min:Se,max:-Se,idxs:[],path:null,clip:null};function yg(i,s,e,t,r){return e/10}var Mp={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},$g=Ge({},Mp,{time:!1,ori:1}),Jd={};function Ap(i,s){let e=Jd[i];return e||(e={key:i,plots:[],sub(t){e.plots.push(t)},unsub(t){e.plots=e.plots.filter(r=>r!=t)},pub(t,r,n,o,a,d,h){for(let b=0;b<e.plots.length;b++)e.plots[b]!=r&&e.plots[b].pub(t,r,n,o,a,d,h)}},i!=null&&(Jd[i]=e)),e}var hr=1,Ya=2;function Pi(i,s,e){let t=i.mode,r=i.series[s],n=t==2?i._data[s]:i._data,o=i.scales,a=i.bbox,d=n[0],h=t==2?n[1]:n[s],b=t==2?o[r.facets[0].scale]:o[i.series[0].scale],v=t==2?o[r.facets[1].scale]:o[r.scale],w=a.left,T=a.top,R=a.width,H=a.height,W=i.valToPosH,Z=i.valToPosV;return b.ori==0?e(r,d,h,b,v,W,Z,w,T,R,H,fo,mr,vo,Rp,Op):e(r,d,h,b,v,Z,W,T,w,H,R,go,fr,pl,Cp,Dp)}function cl(i,s){let e=0,t=0,r=ve(i.bands,rl);for(let n=0;n<r.length;n++){let o=r[n];o.series[0]==s?e=o.dir:o.series[1]==s&&(o.dir==1?t|=1:t|=2)}return[e,t==1?-1:t==2?1:t==3?2:0]}function wg(i,s,e,t,r){let n=i.mode,o=i.series[s],a=n==2?o.facets[1].scale:o.scale,d=i.scales[a];return r==-1?d.min:r==1?d.max:d.distr==3?d.dir==1?d.min:d.max:0}function Ss(i,s,e,t,r,n){return Pi(i,s,(o,a,d,h,b,v,w,T,R,H,W)=>{let Z=o.pxRound,M=h.dir*(h.ori==0?1:-1),K=h.ori==0?mr:fr,D,ae;M==1?(D=e,ae=t):(D=t,ae=e);let I=Z(v(a[D],h,H,T)),le=Z(w(d[D],b,W,R)),ie=Z(v(a[ae],h,H,T)),pe=Z(w(n==1?b.max:b.min,b,W,R)),se=new Path2D(r);return K(se,ie,pe),K(se,I,pe),K(se,I,le),se})}function mo(i,s,e,t,r,n){let o=null;if(i.length>0){o=new Path2D;let a=s==0?vo:pl,d=e;for(let v=0;v<i.length;v++){let w=i[v];if(w[1]>w[0]){let T=w[0]-d;T>0&&a(o,d,t,T,t+n),d=w[1]}}let h=e+r-d,b=10;h>0&&a(o,d,t-b/2,h,t+n+b)}return o}function xg(i,s,e){let t=i[i.length-1];t&&t[0]==s?t[1]=e:i.push([s,e])}function dl(i,s,e,t,r,n,o){let a=[],d=i.length;for(let h=r==1?e:t;h>=e&&h<=t;h+=r)if(s[h]===null){let v=h,w=h;if(r==1)for(;++h<=t&&s[h]===null;)w=h;else for(;--h>=e&&s[h]===null;)w=h;let T=n(i[v]),R=w==v?T:n(i[w]),H=v-r;T=o<=0&&H>=0&&H<d?n(i[H]):T;let Z=w+r;R=o>=0&&Z>=0&&Z<d?n(i[Z]):R,R>=T&&a.push([T,R])}return a}function Zd(i){return i==0?ap:i==1?qe:s=>wi(s,i)}function Lp(i){let s=i==0?fo:go,e=i==0?(r,n,o,a,d,h)=>{r.arcTo(n,o,a,d,h)}:(r,n,o,a,d,h)=>{r.arcTo(o,n,d,a,h)},t=i==0?(r,n,o,a,d)=>{r.rect(n,o,a,d)}:(r,n,o,a,d)=>{r.rect(o,n,d,a)};return(r,n,o,a,d,h=0,b=0)=>{h==0&&b==0?t(r,n,o,a,d):(h=Qt(h,a/2,d/2),b=Qt(b,a/2,d/2),s(r,n+h,o),e(r,n+a,o,n+a,o+d,h),e(r,n+a,o+d,n,o+d,b),e(r,n,o+d,n,o,b),e(r,n,o,n+a,o,h),r.closePath())}}var fo=(i,s,e)=>{i.moveTo(s,e)},go=(i,s,e)=>{i.moveTo(e,s)},mr=(i,s,e)=>{i.lineTo(s,e)},fr=(i,s,e)=>{i.lineTo(e,s)},vo=Lp(0),pl=Lp(1),Rp=(i,s,e,t,r,n)=>{i.arc(s,e,t,r,n)},Cp=(i,s,e,t,r,n)=>{i.arc(e,s,t,r,n)},Op=(i,s,e,t,r,n,o)=>{i.bezierCurveTo(s,e,t,r,n,o)},Dp=(i,s,e,t,r,n,o)=>{i.bezierCurveTo(e,s,r,t,o,n)};function Np(i){return(s,e,t,r,n)=>Pi(s,e,(o,a,d,h,b,v,w,T,R,H,W)=>{let{pxRound:Z,points:M}=o,K,D;h.ori==0?(K=fo,D=Rp):(K=go,D=Cp);let ae=Ee(M.width*ye,3),I=(M.size-M.width)/2*ye,le=Ee(I*2,3),ie=new Path2D,pe=new Path2D,{left:se,top:N,width:ne,height:q}=s.bbox;vo(pe,se-le,N-le,ne+le*2,q+le*2);let ee=J=>{if(d[J]!=null){let ue=Z(v(a[J],h,H,T)),Y=Z(w(d[J],b,W,R));K(ie,ue+I,Y),D(ie,ue,Y,I,0,no*2)}};if(n)n.forEach(ee);else for(let J=t;J<=r;J++)ee(J);return{stroke:ae>0?ie:null,fill:ie,clip:pe,flags:hr|Ya}})}function jp(i){return(s,e,t,r,n,o)=>{t!=r&&(n!=t&&o!=t&&i(s,e,t),n!=r&&o!=r&&i(s,e,r),i(s,e,o))}}var kg=jp(mr),Sg=jp(fr);function Fp(i){let s=ve(i?.alignGaps,0);return(e,t,r,n)=>Pi(e,t,(o,a,d,h,b,v,w,T,R,H,W)=>{[r,n]=co(d,r,n);let Z=o.pxRound,M=q=>Z(v(q,h,H,T)),K=q=>Z(w(q,b,W,R)),D,ae;h.ori==0?(D=mr,ae=kg):(D=fr,ae=Sg);let I=h.dir*(h.ori==0?1:-1),le={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:hr},ie=le.stroke,pe=!1;if(n-r>=H*4){let q=U=>e.posToVal(U,h.key,!0),ee=null,J=null,ue,Y,ht,Le=M(a[I==1?r:n]),fe=M(a[r]),xe=M(a[n]),ce=q(I==1?fe+1:xe-1);for(let U=I==1?r:n;U>=r&&U<=n;U+=I){let Ie=a[U],Re=(I==1?Ie<ce:Ie>ce)?Le:M(Ie),$e=d[U];Re==Le?$e!=null?(Y=$e,ee==null?(D(ie,Re,K(Y)),ue=ee=J=Y):Y<ee?ee=Y:Y>J&&(J=Y)):$e===null&&(pe=!0):(ee!=null&&ae(ie,Le,K(ee),K(J),K(ue),K(Y)),$e!=null?(Y=$e,D(ie,Re,K(Y)),ee=J=ue=Y):(ee=J=null,$e===null&&(pe=!0)),Le=Re,ce=q(Le+I))}ee!=null&&ee!=J&&ht!=Le&&ae(ie,Le,K(ee),K(J),K(ue),K(Y))}else for(let q=I==1?r:n;q>=r&&q<=n;q+=I){let ee=d[q];ee===null?pe=!0:ee!=null&&D(ie,M(a[q]),K(ee))}let[N,ne]=cl(e,t);if(o.fill!=null||N!=0){let q=le.fill=new Path2D(ie),ee=o.fillTo(e,t,o.min,o.max,N),J=K(ee),ue=M(a[r]),Y=M(a[n]);I==-1&&([Y,ue]=[ue,Y]),D(q,Y,J),D(q,ue,J)}if(!o.spanGaps){let q=[];pe&&q.push(...dl(a,d,r,n,I,M,s)),le.gaps=q=o.gaps(e,t,r,n,q),le.clip=mo(q,h.ori,T,R,H,W)}return ne!=0&&(le.band=ne==2?[Ss(e,t,r,n,ie,-1),Ss(e,t,r,n,ie,1)]:Ss(e,t,r,n,ie,ne)),le})}function Eg(i){let s=ve(i.align,1),e=ve(i.ascDesc,!1),t=ve(i.alignGaps,0),r=ve(i.extend,!1);return(n,o,a,d)=>Pi(n,o,(h,b,v,w,T,R,H,W,Z,M,K)=>{[a,d]=co(v,a,d);let D=h.pxRound,{left:ae,width:I}=n.bbox,le=fe=>D(R(fe,w,M,W)),ie=fe=>D(H(fe,T,K,Z)),pe=w.ori==0?mr:fr,se={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:hr},N=se.stroke,ne=w.dir*(w.ori==0?1:-1),q=ie(v[ne==1?a:d]),ee=le(b[ne==1?a:d]),J=ee,ue=ee;r&&s==-1&&(ue=ae,pe(N,ue,q)),pe(N,ee,q);for(let fe=ne==1?a:d;fe>=a&&fe<=d;fe+=ne){let xe=v[fe];if(xe==null)continue;let ce=le(b[fe]),U=ie(xe);s==1?pe(N,ce,q):pe(N,J,U),pe(N,ce,U),q=U,J=ce}let Y=J;r&&s==1&&(Y=ae+I,pe(N,Y,q));let[ht,Le]=cl(n,o);if(h.fill!=null||ht!=0){let fe=se.fill=new Path2D(N),xe=h.fillTo(n,o,h.min,h.max,ht),ce=ie(xe);pe(fe,Y,ce),pe(fe,ue,ce)}if(!h.spanGaps){let fe=[];fe.push(...dl(b,v,a,d,ne,le,t));let xe=h.width*ye/2,ce=e||s==1?xe:-xe,U=e||s==-1?-xe:xe;fe.forEach(Ie=>{Ie[0]+=ce,Ie[1]+=U}),se.gaps=fe=h.gaps(n,o,a,d,fe),se.clip=mo(fe,w.ori,W,Z,M,K)}return Le!=0&&(se.band=Le==2?[Ss(n,o,a,d,N,-1),Ss(n,o,a,d,N,1)]:Ss(n,o,a,d,N,Le)),se})}function Qd(i,s,e,t,r,n,o=Se){if(i.length>1){let a=null;for(let d=0,h=1/0;d<i.length;d++)if(s[d]!==void 0){if(a!=null){let b=Ue(i[d]-i[a]);b<h&&(h=b,o=Ue(e(i[d],t,r,n)-e(i[a],t,r,n)))}a=d}}return o}function Pg(i){i=i||on;let s=ve(i.size,[.6,Se,1]),e=i.align||0,t=i.gap||0,r=i.radius;r=r==null?[0,0]:typeof r=="number"?[r,0]:r;let n=he(r),o=1-s[0],a=ve(s[1],Se),d=ve(s[2],1),h=ve(i.disp,on),b=ve(i.each,T=>{}),{fill:v,stroke:w}=h;return(T,R,H,W)=>Pi(T,R,(Z,M,K,D,ae,I,le,ie,pe,se,N)=>{let ne=Z.pxRound,q=e,ee=t*ye,J=a*ye,ue=d*ye,Y,ht;D.ori==0?[Y,ht]=n(T,R):[ht,Y]=n(T,R);let Le=D.dir*(D.ori==0?1:-1),fe=D.ori==0?vo:pl,xe=D.ori==0?b:(B,Pe,He,ji,ni,rs,oi)=>{b(B,Pe,He,ni,ji,oi,rs)},ce=ve(T.bands,rl).find(B=>B.series[0]==R),U=ce!=null?ce.dir:0,Ie=Z.fillTo(T,R,Z.min,Z.max,U),nt=ne(le(Ie,ae,N,pe)),Re,$e,qt,xt=se,De=ne(Z.width*ye),is=!1,vs=null,Ct=null,Os=null,Oi=null;v!=null&&(De==0||w!=null)&&(is=!0,vs=v.values(T,R,H,W),Ct=new Map,new Set(vs).forEach(B=>{B!=null&&Ct.set(B,new Path2D)}),De>0&&(Os=w.values(T,R,H,W),Oi=new Map,new Set(Os).forEach(B=>{B!=null&&Oi.set(B,new Path2D)})));let{x0:Di,size:Lr}=h;if(Di!=null&&Lr!=null){q=1,M=Di.values(T,R,H,W),Di.unit==2&&(M=M.map(He=>T.posToVal(ie+He*se,D.key,!0)));let B=Lr.values(T,R,H,W);Lr.unit==2?$e=B[0]*se:$e=I(B[0],D,se,ie)-I(0,D,se,ie),xt=Qd(M,K,I,D,se,ie,xt),qt=xt-$e+ee}else xt=Qd(M,K,I,D,se,ie,xt),qt=xt*o+ee,$e=xt-qt;qt<1&&(qt=0),De>=$e/2&&(De=0),qt<5&&(ne=ap);let un=qt>0,ii=xt-qt-(un?De:0);$e=ne(za(ii,ue,J)),Re=(q==0?$e/2:q==Le?0:$e)-q*Le*((q==0?ee/2:0)+(un?De/2:0));let ot={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Ni=is?null:new Path2D,bs=null;if(ce!=null)bs=T.data[ce.series[1]];else{let{y0:B,y1:Pe}=h;B!=null&&Pe!=null&&(K=Pe.values(T,R,H,W),bs=B.values(T,R,H,W))}let ri=Y*$e,re=ht*$e;for(let B=Le==1?H:W;B>=H&&B<=W;B+=Le){let Pe=K[B];if(Pe==null)continue;if(bs!=null){let ut=bs[B]??0;if(Pe-ut==0)continue;nt=le(ut,ae,N,pe)}let He=D.distr!=2||h!=null?M[B]:B,ji=I(He,D,se,ie),ni=le(ve(Pe,Ie),ae,N,pe),rs=ne(ji-Re),oi=ne(dt(ni,nt)),kt=ne(Qt(ni,nt)),Ot=oi-kt;if(Pe!=null){let ut=Pe<0?re:ri,Ut=Pe<0?ri:re;is?(De>0&&Os[B]!=null&&fe(Oi.get(Os[B]),rs,kt+_t(De/2),$e,dt(0,Ot-De),ut,Ut),vs[B]!=null&&fe(Ct.get(vs[B]),rs,kt+_t(De/2),$e,dt(0,Ot-De),ut,Ut)):fe(Ni,rs,kt+_t(De/2),$e,dt(0,Ot-De),ut,Ut),xe(T,R,B,rs-De/2,kt,$e+De,Ot)}}return De>0?ot.stroke=is?Oi:Ni:is||(ot._fill=Z.width==0?Z._fill:Z._stroke??Z._fill,ot.width=0),ot.fill=is?Ct:Ni,ot})}function Tg(i,s){let e=ve(s?.alignGaps,0);return(t,r,n,o)=>Pi(t,r,(a,d,h,b,v,w,T,R,H,W,Z)=>{[n,o]=co(h,n,o);let M=a.pxRound,K=Y=>M(w(Y,b,W,R)),D=Y=>M(T(Y,v,Z,H)),ae,I,le;b.ori==0?(ae=fo,le=mr,I=Op):(ae=go,le=fr,I=Dp);let ie=b.dir*(b.ori==0?1:-1),pe=K(d[ie==1?n:o]),se=pe,N=[],ne=[];for(let Y=ie==1?n:o;Y>=n&&Y<=o;Y+=ie)if(h[Y]!=null){let Le=d[Y],fe=K(Le);N.push(se=fe),ne.push(D(h[Y]))}let q={stroke:i(N,ne,ae,le,I,M),fill:null,clip:null,band:null,gaps:null,flags:hr},ee=q.stroke,[J,ue]=cl(t,r);if(a.fill!=null||J!=0){let Y=q.fill=new Path2D(ee),ht=a.fillTo(t,r,a.min,a.max,J),Le=D(ht);le(Y,se,Le),le(Y,pe,Le)}if(!a.spanGaps){let Y=[];Y.push(...dl(d,h,n,o,ie,K,e)),q.gaps=Y=a.gaps(t,r,n,o,Y),q.clip=mo(Y,b.ori,R,H,W,Z)}return ue!=0&&(q.band=ue==2?[Ss(t,r,n,o,ee,-1),Ss(t,r,n,o,ee,1)]:Ss(t,r,n,o,ee,ue)),q})}function _g(i){return Tg(Mg,i)}function Mg(i,s,e,t,r,n){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],s[0]),o==2)t(a,i[1],s[1]);else{let d=Array(o),h=Array(o-1),b=Array(o-1),v=Array(o-1);for(let w=0;w<o-1;w++)b[w]=s[w+1]-s[w],v[w]=i[w+1]-i[w],h[w]=b[w]/v[w];d[0]=h[0];for(let w=1;w<o-1;w++)h[w]===0||h[w-1]===0||h[w-1]>0!=h[w]>0?d[w]=0:(d[w]=3*(v[w-1]+v[w])/((2*v[w]+v[w-1])/h[w-1]+(v[w]+2*v[w-1])/h[w]),isFinite(d[w])||(d[w]=0));d[o-1]=h[o-2];for(let w=0;w<o-1;w++)r(a,i[w]+v[w]/3,s[w]+d[w]*v[w]/3,i[w+1]-v[w]/3,s[w+1]-d[w+1]*v[w]/3,i[w+1],s[w+1])}return a}var Ja=new Set;function Xd(){for(let i of Ja)i.syncRect(!0)}ur&&(Si(cf,lr,Xd),Si(df,lr,Xd,!0),Si(oo,lr,()=>{ze.pxRatio=ye}));var Ag=Fp(),Lg=Np();function ep(i,s,e,t){return(t?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((n,o)=>Za(n,o,s,e))}function Rg(i,s){return i.map((e,t)=>t==0?{}:Ge({},s,e))}function Za(i,s,e,t){return Ge({},s==0?e:t,i)}function Bp(i,s,e){return s==null?dr:[s,e]}var Cg=Bp;function Og(i,s,e){return s==null?dr:ao(s,e,sl,!0)}function Vp(i,s,e,t){return s==null?dr:po(s,e,i.scales[t].log,!1)}var Dg=Vp;function Gp(i,s,e,t){return s==null?dr:tl(s,e,i.scales[t].log,!1)}var Ng=Gp;function jg(i,s,e,t,r){let n=dt(Rd(i),Rd(s)),o=s-i,a=Zt(r/t*o,e);do{let d=e[a],h=t*d/o;if(h>=r&&n+(d<5?Ws.get(d):0)<=17)return[d,h]}while(++a<e.length);return[0,0]}function tp(i){let s,e;return i=i.replace(/(\d+)px/,(t,r)=>(s=qe((e=+r)*ye))+"px"),[i,s,e]}function Fg(i){i.show&&[i.font,i.labelFont].forEach(s=>{let e=Ee(s[2]*ye,1);s[0]=s[0].replace(/[0-9.]+px/,e+"px"),s[1]=e})}function ze(i,s,e){let t={mode:ve(i.mode,1)},r=t.mode;function n(l,p,m,f){let y=p.valToPct(l);return f+m*(p.dir==-1?1-y:y)}function o(l,p,m,f){let y=p.valToPct(l);return f+m*(p.dir==-1?y:1-y)}function a(l,p,m,f){return p.ori==0?n(l,p,m,f):o(l,p,m,f)}t.valToPosH=n,t.valToPosV=o;let d=!1;t.status=0;let h=t.root=Bt(qm);if(i.id!=null&&(h.id=i.id),Tt(h,i.class),i.title){let l=Bt(Wm,h);l.textContent=i.title}let b=Jt("canvas"),v=t.ctx=b.getContext("2d"),w=Bt(Km,h);Si("click",w,l=>{l.target===R&&(Te!=Ki||Ce!=Yi)&&st.click(t,l)},!0);let T=t.under=Bt(Ym,w);w.appendChild(b);let R=t.over=Bt(Jm,w);i=pr(i);let H=+ve(i.pxAlign,1),W=Zd(H);(i.plugins||[]).forEach(l=>{l.opts&&(i=l.opts(t,i)||i)});let Z=i.ms||.001,M=t.series=r==1?ep(i.series||[],qd,Yd,!1):Rg(i.series||[null],Kd),K=t.axes=ep(i.axes||[],Hd,zd,!0),D=t.scales={},ae=t.bands=i.bands||[];ae.forEach(l=>{l.fill=he(l.fill||null),l.dir=ve(l.dir,-1)});let I=r==2?M[1].facets[0].scale:M[0].scale,le={axes:gu,series:pu},ie=(i.drawOrder||["axes","series"]).map(l=>le[l]);function pe(l){let p=l.distr==3?m=>ks(m>0?m:l.clamp(t,m,l.min,l.max,l.key)):l.distr==4?m=>Fa(m,l.asinh):l.distr==100?m=>l.fwd(m):m=>m;return m=>{let f=p(m),{_min:y,_max:$}=l,S=$-y;return(f-y)/S}}function se(l){let p=D[l];if(p==null){let m=(i.scales||on)[l]||on;if(m.from!=null){se(m.from);let f=Ge({},D[m.from],m,{key:l});f.valToPct=pe(f),D[l]=f}else{p=D[l]=Ge({},l==I?Mp:$g,m),p.key=l;let f=p.time,y=p.range,$=zs(y);if((l!=I||r==2&&!f)&&($&&(y[0]==null||y[1]==null)&&(y={min:y[0]==null?Md:{mode:1,hard:y[0],soft:y[0]},max:y[1]==null?Md:{mode:1,hard:y[1],soft:y[1]}},$=!1),!$&&uo(y))){let S=y;y=(E,A,j)=>A==null?dr:ao(A,j,S)}p.range=he(y||(f?Cg:l==I?p.distr==3?Dg:p.distr==4?Ng:Bp:p.distr==3?Vp:p.distr==4?Gp:Og)),p.auto=he($?!1:p.auto),p.clamp=he(p.clamp||yg),p._min=p._max=null,p.valToPct=pe(p)}}}se("x"),se("y"),r==1&&M.forEach(l=>{se(l.scale)}),K.forEach(l=>{se(l.scale)});for(let l in i.scales)se(l);let N=D[I],ne=N.distr,q,ee;N.ori==0?(Tt(h,Um),q=n,ee=o):(Tt(h,zm),q=o,ee=n);let J={};for(let l in D){let p=D[l];(p.min!=null||p.max!=null)&&(J[l]={min:p.min,max:p.max},p.min=p.max=null)}let ue=i.tzDate||(l=>new Date(qe(l/Z))),Y=i.fmtDate||nl,ht=Z==1?zf(ue):Yf(ue),Le=Vd(ue,Bd(Z==1?Uf:Kf,Y)),fe=Id(ue,Gd(Zf,Y)),xe=[],ce=t.legend=Ge({},eg,i.legend),U=t.cursor=Ge({},og,{drag:{y:r==2}},i.cursor),Ie=ce.show,nt=U.show,Re=ce.markers;ce.idxs=xe,Re.width=he(Re.width),Re.dash=he(Re.dash),Re.stroke=he(Re.stroke),Re.fill=he(Re.fill);let $e,qt,xt,De=[],is=[],vs,Ct=!1,Os={};if(ce.live){let l=M[1]?M[1].values:null;Ct=l!=null,vs=Ct?l(t,1,0):{_:0};for(let p in vs)Os[p]=Xa}if(Ie)if($e=Jt("table",sf,h),xt=Jt("tbody",null,$e),ce.mount(t,$e),Ct){qt=Jt("thead",null,$e,xt);let l=Jt("tr",null,qt);Jt("th",null,l);for(var Oi in vs)Jt("th",gd,l).textContent=Oi}else Tt($e,nf),ce.live&&Tt($e,rf);let Di={show:!0},Lr={show:!1};function un(l,p){if(p==0&&(Ct||!ce.live||r==2))return dr;let m=[],f=Jt("tr",of,xt,xt.childNodes[p]);Tt(f,l.class),l.show||Tt(f,ki);let y=Jt("th",null,f);if(Re.show){let E=Bt(af,y);if(p>0){let A=Re.width(t,p);A&&(E.style.border=A+"px "+Re.dash(t,p)+" "+Re.stroke(t,p)),E.style.background=Re.fill(t,p)}}let $=Bt(gd,y);l.label instanceof HTMLElement?$.appendChild(l.label):$.textContent=l.label,p>0&&(Re.show||($.style.color=l.width>0?Re.stroke(t,p):Re.fill(t,p)),ot("click",y,E=>{if(U._lock)return;li(E);let A=M.indexOf(l);if((E.ctrlKey||E.metaKey)!=ce.isolate){let j=M.some((F,V)=>V>0&&V!=A&&F.show);M.forEach((F,V)=>{V>0&&os(V,j?V==A?Di:Lr:Di,!0,Ve.setSeries)})}else os(A,{show:!l.show},!0,Ve.setSeries)},!1),Bi&&ot($d,y,E=>{U._lock||(li(E),os(M.indexOf(l),Zi,!0,Ve.setSeries))},!1));for(var S in vs){let E=Jt("td",lf,f);E.textContent="--",m.push(E)}return[f,m]}let ii=new Map;function ot(l,p,m,f=!0){let y=ii.get(p)||{},$=U.bind[l](t,p,m,f);$&&(Si(l,p,y[l]=$),ii.set(p,y))}function Ni(l,p,m){let f=ii.get(p)||{};for(let y in f)(l==null||y==l)&&(Ua(y,p,f[y]),delete f[y]);l==null&&ii.delete(p)}let bs=0,ri=0,re=0,B=0,Pe=0,He=0,ji=Pe,ni=He,rs=re,oi=B,kt=0,Ot=0,ut=0,Ut=0;t.bbox={};let Go=!1,mn=!1,Fi=!1,ai=!1,fn=!1,Dt=!1;function Io(l,p,m){(m||l!=t.width||p!=t.height)&&Al(l,p),qi(!1),Fi=!0,mn=!0,Ui()}function Al(l,p){t.width=bs=re=l,t.height=ri=B=p,Pe=He=0,ru(),nu();let m=t.bbox;kt=m.left=wi(Pe*ye,.5),Ot=m.top=wi(He*ye,.5),ut=m.width=wi(re*ye,.5),Ut=m.height=wi(B*ye,.5)}let tu=3;function su(){let l=!1,p=0;for(;!l;){p++;let m=mu(p),f=fu(p);l=p==tu||m&&f,l||(Al(t.width,t.height),mn=!0)}}function iu({width:l,height:p}){Io(l,p)}t.setSize=iu;function ru(){let l=!1,p=!1,m=!1,f=!1;K.forEach((y,$)=>{if(y.show&&y._show){let{side:S,_size:E}=y,A=S%2,j=y.label!=null?y.labelSize:0,F=E+j;F>0&&(A?(re-=F,S==3?(Pe+=F,f=!0):m=!0):(B-=F,S==0?(He+=F,l=!0):p=!0))}}),ci[0]=l,ci[1]=m,ci[2]=p,ci[3]=f,re-=Ds[1]+Ds[3],Pe+=Ds[3],B-=Ds[2]+Ds[0],He+=Ds[0]}function nu(){let l=Pe+re,p=He+B,m=Pe,f=He;function y($,S){switch($){case 1:return l+=S,l-S;case 2:return p+=S,p-S;case 3:return m-=S,m+S;case 0:return f-=S,f+S}}K.forEach(($,S)=>{if($.show&&$._show){let E=$.side;$._pos=y(E,$._size),$.label!=null&&($._lpos=y(E,$.labelSize))}})}if(U.dataIdx==null){let l=U.hover,p=l.skip=new Set(l.skip??[]);p.add(void 0);let m=l.prox=he(l.prox),f=l.bias??=0;U.dataIdx=(y,$,S,E)=>{if($==0)return S;let A=S,j=m(y,$,S,E)??Se,F=j>=0&&j<Se,V=N.ori==0?re:B,te=U.left,be=s[0],ge=s[$];if(p.has(ge[S])){A=null;let de=null,X=null,z;if(f==0||f==-1)for(z=S;de==null&&z-- >0;)p.has(ge[z])||(de=z);if(f==0||f==1)for(z=S;X==null&&z++<ge.length;)p.has(ge[z])||(X=z);if(de!=null||X!=null)if(F){let Me=de==null?-1/0:q(be[de],N,V,0),je=X==null?1/0:q(be[X],N,V,0),Qe=te-Me,ke=je-te;Qe<=ke?Qe<=j&&(A=de):ke<=j&&(A=X)}else A=X==null?de:de==null?X:S-de<=X-S?de:X}else F&&Ue(te-q(be[S],N,V,0))>j&&(A=null);return A}}let li=l=>{U.event=l};U.idxs=xe,U._lock=!1;let it=U.points;it.show=he(it.show),it.size=he(it.size),it.stroke=he(it.stroke),it.width=he(it.width),it.fill=he(it.fill);let ns=t.focus=Ge({},i.focus||{alpha:.3},U.focus),Bi=ns.prox>=0,Vi=Bi&&it.one,Nt=[],Gi=[],Ii=[];function Ll(l,p){let m=it.show(t,p);if(m instanceof HTMLElement)return Tt(m,tf),Tt(m,l.class),ps(m,-10,-10,re,B),R.insertBefore(m,Nt[p]),m}function Rl(l,p){if(r==1||p>0){let m=r==1&&D[l.scale].time,f=l.value;l.value=m?Dd(f)?Id(ue,Gd(f,Y)):f||fe:f||gg,l.label=l.label||(m?lg:ag)}if(Vi||p>0){l.width=l.width==null?1:l.width,l.paths=l.paths||Ag||$f,l.fillTo=he(l.fillTo||wg),l.pxAlign=+ve(l.pxAlign,H),l.pxRound=Zd(l.pxAlign),l.stroke=he(l.stroke||null),l.fill=he(l.fill||null),l._stroke=l._fill=l._paths=l._focus=null;let m=vg(dt(1,l.width),1),f=l.points=Ge({},{size:m,width:dt(1,m*.2),stroke:l.stroke,space:m*2,paths:Lg,_stroke:null,_fill:null},l.points);f.show=he(f.show),f.filter=he(f.filter),f.fill=he(f.fill),f.stroke=he(f.stroke),f.paths=he(f.paths),f.pxAlign=l.pxAlign}if(Ie){let m=un(l,p);De.splice(p,0,m[0]),is.splice(p,0,m[1]),ce.values.push(null)}if(nt){xe.splice(p,0,null);let m=null;Vi?p==0&&(m=Ll(l,p)):p>0&&(m=Ll(l,p)),Nt.splice(p,0,m),Gi.splice(p,0,0),Ii.splice(p,0,0)}Ze("addSeries",p)}function ou(l,p){p=p??M.length,l=r==1?Za(l,p,qd,Yd):Za(l,p,{},Kd),M.splice(p,0,l),Rl(M[p],p)}t.addSeries=ou;function au(l){if(M.splice(l,1),Ie){ce.values.splice(l,1),is.splice(l,1);let p=De.splice(l,1)[0];Ni(null,p.firstChild),p.remove()}nt&&(xe.splice(l,1),Nt.splice(l,1)[0].remove(),Gi.splice(l,1),Ii.splice(l,1)),Ze("delSeries",l)}t.delSeries=au;let ci=[!1,!1,!1,!1];function lu(l,p){if(l._show=l.show,l.show){let m=l.side%2,f=D[l.scale];f==null&&(l.scale=m?M[1].scale:I,f=D[l.scale]);let y=f.time;l.size=he(l.size),l.space=he(l.space),l.rotate=he(l.rotate),zs(l.incrs)&&l.incrs.forEach(S=>{!Ws.has(S)&&Ws.set(S,dp(S))}),l.incrs=he(l.incrs||(f.distr==2?If:y?Z==1?qf:Wf:xi)),l.splits=he(l.splits||(y&&f.distr==1?ht:f.distr==3?Wa:f.distr==4?pg:dg)),l.stroke=he(l.stroke),l.grid.stroke=he(l.grid.stroke),l.ticks.stroke=he(l.ticks.stroke),l.border.stroke=he(l.border.stroke);let $=l.values;l.values=zs($)&&!zs($[0])?he($):y?zs($)?Vd(ue,Bd($,Y)):Dd($)?Jf(ue,$):$||Le:$||cg,l.filter=he(l.filter||(f.distr>=3&&f.log==10?mg:f.distr==3&&f.log==2?fg:lp)),l.font=tp(l.font),l.labelFont=tp(l.labelFont),l._size=l.size(t,null,p,0),l._space=l._rotate=l._incrs=l._found=l._splits=l._values=null,l._size>0&&(ci[p]=!0,l._el=Bt(Zm,w))}}function Rr(l,p,m,f){let[y,$,S,E]=m,A=p%2,j=0;return A==0&&(E||$)&&(j=p==0&&!y||p==2&&!S?qe(Hd.size/3):0),A==1&&(y||S)&&(j=p==1&&!$||p==3&&!E?qe(zd.size/2):0),j}let Cl=t.padding=(i.padding||[Rr,Rr,Rr,Rr]).map(l=>he(ve(l,Rr))),Ds=t._padding=Cl.map((l,p)=>l(t,p,ci,0)),tt,We=null,Ke=null,gn=r==1?M[0].idxs:null,zt=null,Cr=!1;function Ol(l,p){if(s=l??[],t.data=t._data=s,r==2){tt=0;for(let m=1;m<M.length;m++)tt+=s[m][0].length}else{s.length==0&&(t.data=t._data=s=[[]]),zt=s[0],tt=zt.length;let m=s;if(ne==2){m=s.slice();let f=m[0]=Array(tt);for(let y=0;y<tt;y++)f[y]=y}t._data=s=m}if(qi(!0),Ze("setData"),ne==2&&(Fi=!0),p!==!1){let m=N;m.auto(t,Cr)?Ho():js(I,m.min,m.max),ai=ai||U.left>=0,Dt=!0,Ui()}}t.setData=Ol;function Ho(){Cr=!0;let l,p;r==1&&(tt>0?(We=gn[0]=0,Ke=gn[1]=tt-1,l=s[0][We],p=s[0][Ke],ne==2?(l=We,p=Ke):l==p&&(ne==3?[l,p]=po(l,l,N.log,!1):ne==4?[l,p]=tl(l,l,N.log,!1):N.time?p=l+qe(86400/Z):[l,p]=ao(l,p,sl,!0))):(We=gn[0]=l=null,Ke=gn[1]=p=null)),js(I,l,p)}let vn,Hi,qo,Uo,zo,Wo,Ko,Yo,Jo,mt;function Dl(l,p,m,f,y,$){l??=bd,m??=rl,f??="butt",y??=bd,$??="round",l!=vn&&(v.strokeStyle=vn=l),y!=Hi&&(v.fillStyle=Hi=y),p!=qo&&(v.lineWidth=qo=p),$!=zo&&(v.lineJoin=zo=$),f!=Wo&&(v.lineCap=Wo=f),m!=Uo&&v.setLineDash(Uo=m)}function Nl(l,p,m,f){p!=Hi&&(v.fillStyle=Hi=p),l!=Ko&&(v.font=Ko=l),m!=Yo&&(v.textAlign=Yo=m),f!=Jo&&(v.textBaseline=Jo=f)}function Zo(l,p,m,f,y=0){if(f.length>0&&l.auto(t,Cr)&&(p==null||p.min==null)){let $=ve(We,0),S=ve(Ke,f.length-1),E=m.min==null?mf(f,$,S,y,l.distr==3):[m.min,m.max];l.min=Qt(l.min,m.min=E[0]),l.max=dt(l.max,m.max=E[1])}}let jl={min:null,max:null};function cu(){for(let f in D){let y=D[f];J[f]==null&&(y.min==null||J[I]!=null&&y.auto(t,Cr))&&(J[f]=jl)}for(let f in D){let y=D[f];J[f]==null&&y.from!=null&&J[y.from]!=null&&(J[f]=jl)}J[I]!=null&&qi(!0);let l={};for(let f in J){let y=J[f];if(y!=null){let $=l[f]=pr(D[f],kf);if(y.min!=null)Ge($,y);else if(f!=I||r==2)if(tt==0&&$.from==null){let S=$.range(t,null,null,f);$.min=S[0],$.max=S[1]}else $.min=Se,$.max=-Se}}if(tt>0){M.forEach((f,y)=>{if(r==1){let $=f.scale,S=J[$];if(S==null)return;let E=l[$];if(y==0){let A=E.range(t,E.min,E.max,$);E.min=A[0],E.max=A[1],We=Zt(E.min,s[0]),Ke=Zt(E.max,s[0]),Ke-We>1&&(s[0][We]<E.min&&We++,s[0][Ke]>E.max&&Ke--),f.min=zt[We],f.max=zt[Ke]}else f.show&&f.auto&&Zo(E,S,f,s[y],f.sorted);f.idxs[0]=We,f.idxs[1]=Ke}else if(y>0&&f.show&&f.auto){let[$,S]=f.facets,E=$.scale,A=S.scale,[j,F]=s[y],V=l[E],te=l[A];V!=null&&Zo(V,J[E],$,j,$.sorted),te!=null&&Zo(te,J[A],S,F,S.sorted),f.min=S.min,f.max=S.max}});for(let f in l){let y=l[f],$=J[f];if(y.from==null&&($==null||$.min==null)){let S=y.range(t,y.min==Se?null:y.min,y.max==-Se?null:y.max,f);y.min=S[0],y.max=S[1]}}}for(let f in l){let y=l[f];if(y.from!=null){let $=l[y.from];if($.min==null)y.min=y.max=null;else{let S=y.range(t,$.min,$.max,f);y.min=S[0],y.max=S[1]}}}let p={},m=!1;for(let f in l){let y=l[f],$=D[f];if($.min!=y.min||$.max!=y.max){$.min=y.min,$.max=y.max;let S=$.distr;$._min=S==3?ks($.min):S==4?Fa($.min,$.asinh):S==100?$.fwd($.min):$.min,$._max=S==3?ks($.max):S==4?Fa($.max,$.asinh):S==100?$.fwd($.max):$.max,p[f]=m=!0}}if(m){M.forEach((f,y)=>{r==2?y>0&&p.y&&(f._paths=null):p[f.scale]&&(f._paths=null)});for(let f in p)Fi=!0,Ze("setScale",f);nt&&U.left>=0&&(ai=Dt=!0)}for(let f in J)J[f]=null}function du(l){let p=za(We-1,0,tt-1),m=za(Ke+1,0,tt-1);for(;l[p]==null&&p>0;)p--;for(;l[m]==null&&m<tt-1;)m++;return[p,m]}function pu(){if(tt>0){let l=M.some(p=>p._focus)&&mt!=ns.alpha;l&&(v.globalAlpha=mt=ns.alpha),M.forEach((p,m)=>{if(m>0&&p.show&&(Fl(m,!1),Fl(m,!0),p._paths==null)){let f=mt;mt!=p.alpha&&(v.globalAlpha=mt=p.alpha);let y=r==2?[0,s[m][0].length-1]:du(s[m]);p._paths=p.paths(t,m,y[0],y[1]),mt!=f&&(v.globalAlpha=mt=f)}}),M.forEach((p,m)=>{if(m>0&&p.show){let f=mt;mt!=p.alpha&&(v.globalAlpha=mt=p.alpha),p._paths!=null&&Bl(m,!1);{let y=p._paths!=null?p._paths.gaps:null,$=p.points.show(t,m,We,Ke,y),S=p.points.filter(t,m,$,y);($||S)&&(p.points._paths=p.points.paths(t,m,We,Ke,S),Bl(m,!0))}mt!=f&&(v.globalAlpha=mt=f),Ze("drawSeries",m)}}),l&&(v.globalAlpha=mt=1)}}function Fl(l,p){let m=p?M[l].points:M[l];m._stroke=m.stroke(t,l),m._fill=m.fill(t,l)}function Bl(l,p){let m=p?M[l].points:M[l],{stroke:f,fill:y,clip:$,flags:S,_stroke:E=m._stroke,_fill:A=m._fill,_width:j=m.width}=m._paths;j=Ee(j*ye,3);let F=null,V=j%2/2;p&&A==null&&(A=j>0?"#fff":E);let te=m.pxAlign==1&&V>0;if(te&&v.translate(V,V),!p){let be=kt-j/2,ge=Ot-j/2,de=ut+j,X=Ut+j;F=new Path2D,F.rect(be,ge,de,X)}p?Qo(E,j,m.dash,m.cap,A,f,y,S,$):hu(l,E,j,m.dash,m.cap,A,f,y,S,F,$),te&&v.translate(-V,-V)}function hu(l,p,m,f,y,$,S,E,A,j,F){let V=!1;A!=0&&ae.forEach((te,be)=>{if(te.series[0]==l){let ge=M[te.series[1]],de=s[te.series[1]],X=(ge._paths||on).band;zs(X)&&(X=te.dir==1?X[0]:X[1]);let z,Me=null;ge.show&&X&&gf(de,We,Ke)?(Me=te.fill(t,be)||$,z=ge._paths.clip):X=null,Qo(p,m,f,y,Me,S,E,A,j,F,z,X),V=!0}}),V||Qo(p,m,f,y,$,S,E,A,j,F)}let Vl=hr|Ya;function Qo(l,p,m,f,y,$,S,E,A,j,F,V){Dl(l,p,m,f,y),(A||j||V)&&(v.save(),A&&v.clip(A),j&&v.clip(j)),V?(E&Vl)==Vl?(v.clip(V),F&&v.clip(F),yn(y,S),bn(l,$,p)):E&Ya?(yn(y,S),v.clip(V),bn(l,$,p)):E&hr&&(v.save(),v.clip(V),F&&v.clip(F),yn(y,S),v.restore(),bn(l,$,p)):(yn(y,S),bn(l,$,p)),(A||j||V)&&v.restore()}function bn(l,p,m){m>0&&(p instanceof Map?p.forEach((f,y)=>{v.strokeStyle=vn=y,v.stroke(f)}):p!=null&&l&&v.stroke(p))}function yn(l,p){p instanceof Map?p.forEach((m,f)=>{v.fillStyle=Hi=f,v.fill(m)}):p!=null&&l&&v.fill(p)}function uu(l,p,m,f){let y=K[l],$;if(f<=0)$=[0,0];else{let S=y._space=y.space(t,l,p,m,f),E=y._incrs=y.incrs(t,l,p,m,f,S);$=jg(p,m,E,f,S)}return y._found=$}function Xo(l,p,m,f,y,$,S,E,A,j){let F=S%2/2;H==1&&v.translate(F,F),Dl(E,S,A,j,E),v.beginPath();let V,te,be,ge,de=y+(f==0||f==3?-$:$);m==0?(te=y,ge=de):(V=y,be=de);for(let X=0;X<l.length;X++)p[X]!=null&&(m==0?V=be=l[X]:te=ge=l[X],v.moveTo(V,te),v.lineTo(be,ge));v.stroke(),H==1&&v.translate(-F,-F)}function mu(l){let p=!0;return K.forEach((m,f)=>{if(!m.show)return;let y=D[m.scale];if(y.min==null){m._show&&(p=!1,m._show=!1,qi(!1));return}else m._show||(p=!1,m._show=!0,qi(!1));let $=m.side,S=$%2,{min:E,max:A}=y,[j,F]=uu(f,E,A,S==0?re:B);if(F==0)return;let V=y.distr==2,te=m._splits=m.splits(t,f,E,A,j,F,V),be=y.distr==2?te.map(z=>zt[z]):te,ge=y.distr==2?zt[te[1]]-zt[te[0]]:j,de=m._values=m.values(t,m.filter(t,be,f,F,ge),f,F,ge);m._rotate=$==2?m.rotate(t,de,f,F):0;let X=m._size;m._size=Vt(m.size(t,de,f,l)),X!=null&&m._size!=X&&(p=!1)}),p}function fu(l){let p=!0;return Cl.forEach((m,f)=>{let y=m(t,f,ci,l);y!=Ds[f]&&(p=!1),Ds[f]=y}),p}function gu(){for(let l=0;l<K.length;l++){let p=K[l];if(!p.show||!p._show)continue;let m=p.side,f=m%2,y,$,S=p.stroke(t,l),E=m==0||m==3?-1:1,[A,j]=p._found;if(p.label!=null){let lt=p.labelGap*E,Pt=qe((p._lpos+lt)*ye);Nl(p.labelFont[0],S,"center",m==2?"top":vd),v.save(),f==1?(y=$=0,v.translate(Pt,qe(Ot+Ut/2)),v.rotate((m==3?-no:no)/2)):(y=qe(kt+ut/2),$=Pt);let hi=op(p.label)?p.label(t,l,A,j):p.label;v.fillText(hi,y,$),v.restore()}if(j==0)continue;let F=D[p.scale],V=f==0?ut:Ut,te=f==0?kt:Ot,be=p._splits,ge=F.distr==2?be.map(lt=>zt[lt]):be,de=F.distr==2?zt[be[1]]-zt[be[0]]:A,X=p.ticks,z=p.border,Me=X.show?X.size:0,je=qe(Me*ye),Qe=qe((p.alignTo==2?p._size-Me-p.gap:p.gap)*ye),ke=p._rotate*-no/180,Fe=W(p._pos*ye),St=(je+Qe)*E,at=Fe+St;$=f==0?at:0,y=f==1?at:0;let jt=p.font[0],Wt=p.align==1?or:p.align==2?Da:ke>0?or:ke<0?Da:f==0?"center":m==3?Da:or,ls=ke||f==1?"middle":m==2?"top":vd;Nl(jt,S,Wt,ls);let Et=p.font[1]*p.lineGap,Ft=be.map(lt=>W(a(lt,F,V,te))),Kt=p._values;for(let lt=0;lt<Kt.length;lt++){let Pt=Kt[lt];if(Pt!=null){f==0?y=Ft[lt]:$=Ft[lt],Pt=""+Pt;let hi=Pt.indexOf(`
`)==-1?[Pt]:Pt.split(/\n/gm);for(let ct=0;ct<hi.length;ct++){let nc=hi[ct];ke?(v.save(),v.translate(y,$+ct*Et),v.rotate(ke),v.fillText(nc,0,0),v.restore()):v.fillText(nc,y,$+ct*Et)}}}X.show&&Xo(Ft,X.filter(t,ge,l,j,de),f,m,Fe,je,Ee(X.width*ye,3),X.stroke(t,l),X.dash,X.cap);let cs=p.grid;cs.show&&Xo(Ft,cs.filter(t,ge,l,j,de),f,f==0?2:1,f==0?Ot:kt,f==0?Ut:ut,Ee(cs.width*ye,3),cs.stroke(t,l),cs.dash,cs.cap),z.show&&Xo([Fe],[1],f==0?1:0,f==0?1:2,f==1?Ot:kt,f==1?Ut:ut,Ee(z.width*ye,3),z.stroke(t,l),z.dash,z.cap)}Ze("drawAxes")}function qi(l){M.forEach((p,m)=>{m>0&&(p._paths=null,l&&(r==1?(p.min=null,p.max=null):p.facets.forEach(f=>{f.min=null,f.max=null})))})}let $n=!1,ea=!1,Or=[];function vu(){ea=!1;for(let l=0;l<Or.length;l++)Ze(...Or[l]);Or.length=0}function Ui(){$n||(Af(Gl),$n=!0)}function bu(l,p=!1){$n=!0,ea=p,l(t),Gl(),p&&Or.length>0&&queueMicrotask(vu)}t.batch=bu;function Gl(){if(Go&&(cu(),Go=!1),Fi&&(su(),Fi=!1),mn){if(Ae(T,or,Pe),Ae(T,"top",He),Ae(T,tn,re),Ae(T,sn,B),Ae(R,or,Pe),Ae(R,"top",He),Ae(R,tn,re),Ae(R,sn,B),Ae(w,tn,bs),Ae(w,sn,ri),b.width=qe(bs*ye),b.height=qe(ri*ye),K.forEach(({_el:l,_show:p,_size:m,_pos:f,side:y})=>{if(l!=null)if(p){let $=y===3||y===0?m:0,S=y%2==1;Ae(l,S?"left":"top",f-$),Ae(l,S?"width":"height",m),Ae(l,S?"top":"left",S?He:Pe),Ae(l,S?"height":"width",S?B:re),qa(l,ki)}else Tt(l,ki)}),vn=Hi=qo=zo=Wo=Ko=Yo=Jo=Uo=null,mt=1,jr(!0),Pe!=ji||He!=ni||re!=rs||B!=oi){qi(!1);let l=re/rs,p=B/oi;if(nt&&!ai&&U.left>=0){U.left*=l,U.top*=p,zi&&ps(zi,qe(U.left),0,re,B),Wi&&ps(Wi,0,qe(U.top),re,B);for(let m=0;m<Nt.length;m++){let f=Nt[m];f!=null&&(Gi[m]*=l,Ii[m]*=p,ps(f,Vt(Gi[m]),Vt(Ii[m]),re,B))}}if(_e.show&&!fn&&_e.left>=0&&_e.width>0){_e.left*=l,_e.width*=l,_e.top*=p,_e.height*=p;for(let m in oa)Ae(Ji,m,_e[m])}ji=Pe,ni=He,rs=re,oi=B}Ze("setSize"),mn=!1}bs>0&&ri>0&&(v.clearRect(0,0,b.width,b.height),Ze("drawClear"),ie.forEach(l=>l()),Ze("draw")),_e.show&&fn&&(wn(_e),fn=!1),nt&&ai&&(pi(null,!0,!1),ai=!1),ce.show&&ce.live&&Dt&&(ra(),Dt=!1),d||(d=!0,t.status=1,Ze("ready")),Cr=!1,$n=!1}t.redraw=(l,p)=>{Fi=p||!1,l!==!1?js(I,N.min,N.max):Ui()};function ta(l,p){let m=D[l];if(m.from==null){if(tt==0){let f=m.range(t,p.min,p.max,l);p.min=f[0],p.max=f[1]}if(p.min>p.max){let f=p.min;p.min=p.max,p.max=f}if(tt>1&&p.min!=null&&p.max!=null&&p.max-p.min<1e-16)return;l==I&&m.distr==2&&tt>0&&(p.min=Zt(p.min,s[0]),p.max=Zt(p.max,s[0]),p.min==p.max&&p.max++),J[l]=p,Go=!0,Ui()}}t.setScale=ta;let sa,ia,zi,Wi,Il,Hl,Ki,Yi,ql,Ul,Te,Ce,Ns=!1,st=U.drag,Ye=st.x,Je=st.y;nt&&(U.x&&(sa=Bt(Xm,R)),U.y&&(ia=Bt(ef,R)),N.ori==0?(zi=sa,Wi=ia):(zi=ia,Wi=sa),Te=U.left,Ce=U.top);let _e=t.select=Ge({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Ji=_e.show?Bt(Qm,_e.over?R:T):null;function wn(l,p){if(_e.show){for(let m in l)_e[m]=l[m],m in oa&&Ae(Ji,m,l[m]);p!==!1&&Ze("setSelect")}}t.setSelect=wn;function yu(l){if(M[l].show)Ie&&qa(De[l],ki);else if(Ie&&Tt(De[l],ki),nt){let m=Vi?Nt[0]:Nt[l];m!=null&&ps(m,-10,-10,re,B)}}function js(l,p,m){ta(l,{min:p,max:m})}function os(l,p,m,f){p.focus!=null&&Su(l),p.show!=null&&M.forEach((y,$)=>{$>0&&(l==$||l==null)&&(y.show=p.show,yu($),r==2?(js(y.facets[0].scale,null,null),js(y.facets[1].scale,null,null)):js(y.scale,null,null),Ui())}),m!==!1&&Ze("setSeries",l,p),f&&Fr("setSeries",t,l,p)}t.setSeries=os;function $u(l,p){Ge(ae[l],p)}function wu(l,p){l.fill=he(l.fill||null),l.dir=ve(l.dir,-1),p=p??ae.length,ae.splice(p,0,l)}function xu(l){l==null?ae.length=0:ae.splice(l,1)}t.addBand=wu,t.setBand=$u,t.delBand=xu;function ku(l,p){M[l].alpha=p,nt&&Nt[l]!=null&&(Nt[l].style.opacity=p),Ie&&De[l]&&(De[l].style.opacity=p)}let ys,Fs,di,Zi={focus:!0};function Su(l){if(l!=di){let p=l==null,m=ns.alpha!=1;M.forEach((f,y)=>{if(r==1||y>0){let $=p||y==0||y==l;f._focus=p?null:$,m&&ku(y,$?1:ns.alpha)}}),di=l,m&&Ui()}}Ie&&Bi&&ot(wd,$e,l=>{U._lock||(li(l),di!=null&&os(null,Zi,!0,Ve.setSeries))});function as(l,p,m){let f=D[p];m&&(l=l/ye-(f.ori==1?He:Pe));let y=re;f.ori==1&&(y=B,l=y-l),f.dir==-1&&(l=y-l);let $=f._min,S=f._max,E=l/y,A=$+(S-$)*E,j=f.distr;return j==3?cr(10,A):j==4?bf(A,f.asinh):j==100?f.bwd(A):A}function Eu(l,p){let m=as(l,I,p);return Zt(m,s[0],We,Ke)}t.valToIdx=l=>Zt(l,s[0]),t.posToIdx=Eu,t.posToVal=as,t.valToPos=(l,p,m)=>D[p].ori==0?n(l,D[p],m?ut:re,m?kt:0):o(l,D[p],m?Ut:B,m?Ot:0),t.setCursor=(l,p,m)=>{Te=l.left,Ce=l.top,pi(null,p,m)};function zl(l,p){Ae(Ji,or,_e.left=l),Ae(Ji,tn,_e.width=p)}function Wl(l,p){Ae(Ji,"top",_e.top=l),Ae(Ji,sn,_e.height=p)}let Dr=N.ori==0?zl:Wl,Nr=N.ori==1?zl:Wl;function Pu(){if(Ie&&ce.live)for(let l=r==2?1:0;l<M.length;l++){if(l==0&&Ct)continue;let p=ce.values[l],m=0;for(let f in p)is[l][m++].firstChild.nodeValue=p[f]}}function ra(l,p){if(l!=null&&(l.idxs?l.idxs.forEach((m,f)=>{xe[f]=m}):xf(l.idx)||xe.fill(l.idx),ce.idx=xe[0]),Ie&&ce.live){for(let m=0;m<M.length;m++)(m>0||r==1&&!Ct)&&Tu(m,xe[m]);Pu()}Dt=!1,p!==!1&&Ze("setLegend")}t.setLegend=ra;function Tu(l,p){let m=M[l],f=l==0&&ne==2?zt:s[l],y;Ct?y=m.values(t,l,p)??Os:(y=m.value(t,p==null?null:f[p],l,p),y=y==null?Os:{_:y}),ce.values[l]=y}function pi(l,p,m){ql=Te,Ul=Ce,[Te,Ce]=U.move(t,Te,Ce),U.left=Te,U.top=Ce,nt&&(zi&&ps(zi,qe(Te),0,re,B),Wi&&ps(Wi,0,qe(Ce),re,B));let f,y=We>Ke;ys=Se,Fs=null;let $=N.ori==0?re:B,S=N.ori==1?re:B;if(Te<0||tt==0||y){f=U.idx=null;for(let E=0;E<M.length;E++){let A=Nt[E];A!=null&&ps(A,-10,-10,re,B)}Bi&&os(null,Zi,!0,l==null&&Ve.setSeries),ce.live&&(xe.fill(f),Dt=!0)}else{let E,A,j;r==1&&(E=N.ori==0?Te:Ce,A=as(E,I),f=U.idx=Zt(A,s[0],We,Ke),j=q(s[0][f],N,$,0));let F=-10,V=-10,te=0,be=0,ge=!0,de="",X="";for(let z=r==2?1:0;z<M.length;z++){let Me=M[z],je=xe[z],Qe=je==null?null:r==1?s[z][je]:s[z][1][je],ke=U.dataIdx(t,z,f,A),Fe=ke==null?null:r==1?s[z][ke]:s[z][1][ke];if(Dt=Dt||Fe!=Qe||ke!=je,xe[z]=ke,z>0&&Me.show){let St=ke==null?-10:ke==f?j:q(r==1?s[0][ke]:s[z][0][ke],N,$,0),at=Fe==null?-10:ee(Fe,r==1?D[Me.scale]:D[Me.facets[1].scale],S,0);if(Bi&&Fe!=null){let jt=N.ori==1?Te:Ce,Wt=Ue(ns.dist(t,z,ke,at,jt));if(Wt<ys){let ls=ns.bias;if(ls!=0){let Et=as(jt,Me.scale),Ft=Fe>=0?1:-1,Kt=Et>=0?1:-1;Kt==Ft&&(Kt==1?ls==1?Fe>=Et:Fe<=Et:ls==1?Fe<=Et:Fe>=Et)&&(ys=Wt,Fs=z)}else ys=Wt,Fs=z}}if(Dt||Vi){let jt,Wt;N.ori==0?(jt=St,Wt=at):(jt=at,Wt=St);let ls,Et,Ft,Kt,cs,lt,Pt=!0,hi=it.bbox;if(hi!=null){Pt=!1;let ct=hi(t,z);Ft=ct.left,Kt=ct.top,ls=ct.width,Et=ct.height}else Ft=jt,Kt=Wt,ls=Et=it.size(t,z);if(lt=it.fill(t,z),cs=it.stroke(t,z),Vi)z==Fs&&ys<=ns.prox&&(F=Ft,V=Kt,te=ls,be=Et,ge=Pt,de=lt,X=cs);else{let ct=Nt[z];ct!=null&&(Gi[z]=Ft,Ii[z]=Kt,_d(ct,ls,Et,Pt),Pd(ct,lt,cs),ps(ct,Vt(Ft),Vt(Kt),re,B))}}}}if(Vi){let z=ns.prox,Me=di==null?ys<=z:ys>z||Fs!=di;if(Dt||Me){let je=Nt[0];je!=null&&(Gi[0]=F,Ii[0]=V,_d(je,te,be,ge),Pd(je,de,X),ps(je,Vt(F),Vt(V),re,B))}}}if(_e.show&&Ns)if(l!=null){let[E,A]=Ve.scales,[j,F]=Ve.match,[V,te]=l.cursor.sync.scales,be=l.cursor.drag;if(Ye=be._x,Je=be._y,Ye||Je){let{left:ge,top:de,width:X,height:z}=l.select,Me=l.scales[V].ori,je=l.posToVal,Qe,ke,Fe,St,at,jt=E!=null&&j(E,V),Wt=A!=null&&F(A,te);jt&&Ye?(Me==0?(Qe=ge,ke=X):(Qe=de,ke=z),Fe=D[E],St=q(je(Qe,V),Fe,$,0),at=q(je(Qe+ke,V),Fe,$,0),Dr(Qt(St,at),Ue(at-St))):Dr(0,$),Wt&&Je?(Me==1?(Qe=ge,ke=X):(Qe=de,ke=z),Fe=D[A],St=ee(je(Qe,te),Fe,S,0),at=ee(je(Qe+ke,te),Fe,S,0),Nr(Qt(St,at),Ue(at-St))):Nr(0,S)}else aa()}else{let E=Ue(ql-Il),A=Ue(Ul-Hl);if(N.ori==1){let te=E;E=A,A=te}Ye=st.x&&E>=st.dist,Je=st.y&&A>=st.dist;let j=st.uni;j!=null?Ye&&Je&&(Ye=E>=j,Je=A>=j,!Ye&&!Je&&(A>E?Je=!0:Ye=!0)):st.x&&st.y&&(Ye||Je)&&(Ye=Je=!0);let F,V;Ye&&(N.ori==0?(F=Ki,V=Te):(F=Yi,V=Ce),Dr(Qt(F,V),Ue(V-F)),Je||Nr(0,S)),Je&&(N.ori==1?(F=Ki,V=Te):(F=Yi,V=Ce),Nr(Qt(F,V),Ue(V-F)),Ye||Dr(0,$)),!Ye&&!Je&&(Dr(0,0),Nr(0,0))}if(st._x=Ye,st._y=Je,l==null){if(m){if(rc!=null){let[E,A]=Ve.scales;Ve.values[0]=E!=null?as(N.ori==0?Te:Ce,E):null,Ve.values[1]=A!=null?as(N.ori==1?Te:Ce,A):null}Fr(Na,t,Te,Ce,re,B,f)}if(Bi){let E=m&&Ve.setSeries,A=ns.prox;di==null?ys<=A&&os(Fs,Zi,!0,E):ys>A?os(null,Zi,!0,E):Fs!=di&&os(Fs,Zi,!0,E)}}Dt&&(ce.idx=f,ra()),p!==!1&&Ze("setCursor")}let Bs=null;Object.defineProperty(t,"rect",{get(){return Bs==null&&jr(!1),Bs}});function jr(l=!1){l?Bs=null:(Bs=R.getBoundingClientRect(),Ze("syncRect",Bs))}function Kl(l,p,m,f,y,$,S){U._lock||Ns&&l!=null&&l.movementX==0&&l.movementY==0||(na(l,p,m,f,y,$,S,!1,l!=null),l!=null?pi(null,!0,!0):pi(p,!0,!1))}function na(l,p,m,f,y,$,S,E,A){if(Bs==null&&jr(!1),li(l),l!=null)m=l.clientX-Bs.left,f=l.clientY-Bs.top;else{if(m<0||f<0){Te=-10,Ce=-10;return}let[j,F]=Ve.scales,V=p.cursor.sync,[te,be]=V.values,[ge,de]=V.scales,[X,z]=Ve.match,Me=p.axes[0].side%2==1,je=N.ori==0?re:B,Qe=N.ori==1?re:B,ke=Me?$:y,Fe=Me?y:$,St=Me?f:m,at=Me?m:f;if(ge!=null?m=X(j,ge)?a(te,D[j],je,0):-10:m=je*(St/ke),de!=null?f=z(F,de)?a(be,D[F],Qe,0):-10:f=Qe*(at/Fe),N.ori==1){let jt=m;m=f,f=jt}}A&&(p==null||p.cursor.event.type==Na)&&((m<=1||m>=re-1)&&(m=wi(m,re)),(f<=1||f>=B-1)&&(f=wi(f,B))),E?(Il=m,Hl=f,[Ki,Yi]=U.move(t,m,f)):(Te=m,Ce=f)}let oa={width:0,height:0,left:0,top:0};function aa(){wn(oa,!1)}let Yl,Jl,Zl,Ql;function Xl(l,p,m,f,y,$,S){Ns=!0,Ye=Je=st._x=st._y=!1,na(l,p,m,f,y,$,S,!0,!1),l!=null&&(ot(ja,Ia,ec,!1),Fr(yd,t,Ki,Yi,re,B,null));let{left:E,top:A,width:j,height:F}=_e;Yl=E,Jl=A,Zl=j,Ql=F}function ec(l,p,m,f,y,$,S){Ns=st._x=st._y=!1,na(l,p,m,f,y,$,S,!1,!0);let{left:E,top:A,width:j,height:F}=_e,V=j>0||F>0,te=Yl!=E||Jl!=A||Zl!=j||Ql!=F;if(V&&te&&wn(_e),st.setScale&&V&&te){let be=E,ge=j,de=A,X=F;if(N.ori==1&&(be=A,ge=F,de=E,X=j),Ye&&js(I,as(be,I),as(be+ge,I)),Je)for(let z in D){let Me=D[z];z!=I&&Me.from==null&&Me.min!=Se&&js(z,as(de+X,z),as(de,z))}aa()}else U.lock&&(U._lock=!U._lock,pi(p,!0,l!=null));l!=null&&(Ni(ja,Ia),Fr(ja,t,Te,Ce,re,B,null))}function _u(l,p,m,f,y,$,S){if(U._lock)return;li(l);let E=Ns;if(Ns){let A=!0,j=!0,F=10,V,te;N.ori==0?(V=Ye,te=Je):(V=Je,te=Ye),V&&te&&(A=Te<=F||Te>=re-F,j=Ce<=F||Ce>=B-F),V&&A&&(Te=Te<Ki?0:re),te&&j&&(Ce=Ce<Yi?0:B),pi(null,!0,!0),Ns=!1}Te=-10,Ce=-10,xe.fill(null),pi(null,!0,!0),E&&(Ns=E)}function tc(l,p,m,f,y,$,S){U._lock||(li(l),Ho(),aa(),l!=null&&Fr(xd,t,Te,Ce,re,B,null))}function sc(){K.forEach(Fg),Io(t.width,t.height,!0)}Si(oo,lr,sc);let Qi={};Qi.mousedown=Xl,Qi.mousemove=Kl,Qi.mouseup=ec,Qi.dblclick=tc,Qi.setSeries=(l,p,m,f)=>{let y=Ve.match[2];m=y(t,p,m),m!=-1&&os(m,f,!0,!1)},nt&&(ot(yd,R,Xl),ot(Na,R,Kl),ot($d,R,l=>{li(l),jr(!1)}),ot(wd,R,_u),ot(xd,R,tc),Ja.add(t),t.syncRect=jr);let xn=t.hooks=i.hooks||{};function Ze(l,p,m){ea?Or.push([l,p,m]):l in xn&&xn[l].forEach(f=>{f.call(null,t,p,m)})}(i.plugins||[]).forEach(l=>{for(let p in l.hooks)xn[p]=(xn[p]||[]).concat(l.hooks[p])});let ic=(l,p,m)=>m,Ve=Ge({key:null,setSeries:!1,filters:{pub:Cd,sub:Cd},scales:[I,M[1]?M[1].scale:null],match:[Od,Od,ic],values:[null,null]},U.sync);Ve.match.length==2&&Ve.match.push(ic),U.sync=Ve;let rc=Ve.key,la=Ap(rc);function Fr(l,p,m,f,y,$,S){Ve.filters.pub(l,p,m,f,y,$,S)&&la.pub(l,p,m,f,y,$,S)}la.sub(t);function Mu(l,p,m,f,y,$,S){Ve.filters.sub(l,p,m,f,y,$,S)&&Qi[l](null,p,m,f,y,$,S)}t.pub=Mu;function Au(){la.unsub(t),Ja.delete(t),ii.clear(),Ua(oo,lr,sc),h.remove(),$e?.remove(),Ze("destroy")}t.destroy=Au;function ca(){Ze("init",i,s),Ol(s||i.data,!1),J[I]?ta(I,J[I]):Ho(),fn=_e.show&&(_e.width>0||_e.height>0),ai=Dt=!0,Io(i.width,i.height)}return M.forEach(Rl),K.forEach(lu),e?e instanceof HTMLElement?(e.appendChild(h),ca()):e(t,ca):ca(),t}ze.assign=Ge;ze.fmtNum=il;ze.rangeNum=ao;ze.rangeLog=po;ze.rangeAsinh=tl;ze.orient=Pi;ze.pxRatio=ye;ze.join=Mf;ze.fmtDate=nl,ze.tzDate=Vf;ze.sync=Ap;{ze.addGap=xg,ze.clipGaps=mo;let i=ze.paths={points:Np};i.linear=Fp,i.stepped=Eg,i.bars=Pg,i.spline=_g}var hl=150,Bg=6,Es=class extends _{constructor(){super(...arguments);this.nodes=[];this.seats=[];this.version=0;this.kind="";this.resized=new ResizeObserver(()=>this.resize());this.scheme=matchMedia("(prefers-color-scheme: dark)");this.renew=()=>{this.forget(),this.requestUpdate()}}connectedCallback(){super.connectedCallback(),this.resized.observe(this),this.scheme.addEventListener("change",this.renew)}disconnectedCallback(){this.resized.disconnect(),this.scheme.removeEventListener("change",this.renew),this.forget(),super.disconnectedCallback()}forget(){this.plot?.destroy(),this.plot=void 0,this.kind=""}resize(){this.plot&&this.clientWidth>0&&this.plot.setSize({width:this.clientWidth,height:hl})}get drawn(){return this.seats.length===2?this.seats.slice(0,1):this.seats}get data(){let e=this.drawn.map((t,r)=>this.nodes.map(n=>n.judged?.values[r]??null));return[this.nodes.map((t,r)=>r),...e]}updated(e){let t=this.renderRoot.querySelector(".plot");if(!t)return this.forget();let r=[...this.drawn,document.documentElement.style.colorScheme].join();r!==this.kind&&this.forget(),this.plot?this.plot.setData(this.data):this.plot=new ze(this.options(),this.data,t),this.kind=r,this.plot.redraw()}options(){let e=h=>Vg(this,h),[t,r,n,o]=[e("--quiet"),e("--edge"),e("--accent"),e("--good")],a={stroke:t,grid:{stroke:r,width:1},ticks:{show:!1},font:"12px system-ui, sans-serif"},d=()=>Math.max(this.nodes.length-1,1);return{width:this.clientWidth||300,height:hl,padding:[8,8,0,0],legend:{show:!1},cursor:{y:!1,drag:{x:!1,y:!1},bind:{click:h=>()=>(this.go(h),null)}},scales:{x:{time:!1,range:()=>[0,d()]},y:{range:()=>[-1.05,1.05]}},axes:[{...a,size:24,incrs:[1,2,5,10,20,50,100,200],space:d()<Bg?20:40},{...a,size:34,splits:()=>[-1,0,1],values:()=>["−1","0","+1"]}],series:[{},...this.drawn.map((h,b)=>({label:h,stroke:[n,o,t][b%3],width:2,fill:this.drawn.length===1?`color-mix(in srgb, ${n} 16%, transparent)`:void 0,fillTo:0,spanGaps:!0,points:{show:!0,size:5}}))],hooks:{draw:[h=>this.drawCurrent(h,e("--text"),e("--bad"))]}}}drawCurrent(e,t,r){let{ctx:n,bbox:o}=e,a=this.nodes.indexOf(this.current);if(n.save(),n.lineWidth=2*devicePixelRatio,a>=0){let d=e.valToPos(a,"x",!0);n.strokeStyle=t,n.beginPath(),n.moveTo(d,o.top),n.lineTo(d,o.top+o.height),n.stroke()}n.strokeStyle=r;for(let[d,{judged:h}]of this.nodes.entries()){let b=h?.values[0];!h?.mark||b===null||b===void 0||(n.beginPath(),n.arc(e.valToPos(d,"x",!0),e.valToPos(b,"y",!0),6*devicePixelRatio,0,2*Math.PI),n.stroke())}n.restore()}go(e){let t=this.nodes[e.cursor.idx??-1];t&&this.dispatchEvent(new CustomEvent("show",{detail:t}))}render(){let e=this.nodes.filter(({judged:t})=>t);return e.length===0?g:c`
<div class="plot" aria-hidden="true"></div>
<p class="quiet">Value for ${this.drawn.join(", ")}: +1 won, −1 lost. Circles are mistakes; click to see a position.</p>
<details>
<summary class="quiet">As a table</summary>
<table>
${e.map(t=>c`<tr>
<th scope="row">${t.ply} ${t.move}</th>
${t.judged.values.map(r=>c`<td>${bt(r)}</td>`)}
</tr>`)}
</table>
</details>
`}};Es.styles=[C,O,P`
:host {
display: block;
min-width: 0;
}
.plot {
cursor: pointer;
min-height: ${hl}px;
}
.u-wrap {
position: relative;
user-select: none;
}
.u-over,
.u-under,
.u-axis {
position: absolute;
}
.uplot canvas {
display: block;
width: 100%;
height: 100%;
}
.u-cursor-x {
position: absolute;
left: 0;
top: 0;
height: 100%;
border-right: 1px dashed var(--quiet);
pointer-events: none;
}
.u-cursor-pt {
position: absolute;
top: 0;
left: 0;
border-radius: 50%;
pointer-events: none;
}
.u-select,
.u-legend,
.u-cursor-y,
.u-off {
display: none;
}
table {
border-collapse: collapse;
}
`],u([k({attribute:!1})],Es.prototype,"nodes",2),u([k({attribute:!1})],Es.prototype,"current",2),u([k({attribute:!1})],Es.prototype,"seats",2),u([k({type:Number})],Es.prototype,"version",2),Es=u([L("boardgym-analyse-graph")],Es);function Vg(i,s){let e=document.createElement("span");e.style.color=`var(${s})`,i.shadowRoot.append(e);let t=getComputedStyle(e).color;return e.remove(),t}function gr(i,s){let e=i.getBoundingClientRect(),{top:t,bottom:r,height:n}=s.getBoundingClientRect();(t<e.top||r>e.bottom)&&(i.scrollTop+=t-e.top-(i.clientHeight-n)/2)}var ul={"":"",inaccuracy:"?!",mistake:"?",blunder:"??"},Ks=class extends _{constructor(){super(...arguments);this.version=0}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}updated(e){if(!e.has("current"))return;let t=this.renderRoot.querySelector(".list"),r=this.renderRoot.querySelector('[aria-current="true"]');t&&(r?gr(t,r):t.scrollTop=0)}render(){let e=this.current.parent&&this.current.parent.children[0]!==this.current;return c`
<div class="list" tabindex="0" role="region" aria-label="Moves">
${this.root.children.length===0?c`<p class="quiet">Click a move on the board, or a line of the search.</p>`:this.renderFrom(this.root,!0)}
</div>
${e?c`<button class="plain" @click=${()=>this.tell("forget",this.current)}>Remove this variation</button>`:g}
`}renderFrom(e,t){let r=[];for(let n=e,o=t;n.children[0];){let[a,...d]=n.children;r.push(this.renderMove(a,o||a.ply%2===1));for(let h of d)r.push(c`<span class="variation">${this.renderMove(h,!0)}${this.renderFrom(h,!1)}</span>`);o=d.length>0,n=a}return r}renderMove(e,t){let r=e.judged?.mark??"";return c`${t?c`<span class="number">${e.ply}.</span>`:g}<button
class="move ${e.judged?.seat===-1?"roll":""}"
aria-current=${e===this.current?"true":g}
title=${e.judged?.words||g}
@click=${()=>this.tell("show",e)}
>
${e.move}${r?c`<span class="sign" aria-hidden="true">${ul[r]}</span><span class="visually-hidden">${r}</span>`:g}
</button>`}};Ks.styles=[C,O,P`
:host {
display: block;
}
.list {
max-height: 14rem;
overflow-y: auto;
scrollbar-width: thin;
}
button.move {
min-height: 1.8rem;
padding: 0 0.3rem;
border-color: transparent;
background: none;
}
button.move[aria-current="true"] {
background: var(--accent);
color: var(--on-accent);
font-weight: 600;
}
.number {
color: var(--quiet);
padding: 0 0.15rem 0 0.35rem;
font-variant-numeric: tabular-nums;
}
.sign {
color: var(--bad);
font-weight: 700;
}
[aria-current="true"] .sign {
color: inherit;
}
.variation {
display: block;
margin: 0 0 0.2rem 0.6rem;
padding-left: 0.5rem;
border-left: 2px solid var(--edge);
color: var(--quiet);
font-size: 0.93rem;
}
.roll {
color: var(--quiet);
}
`],u([k({attribute:!1})],Ks.prototype,"root",2),u([k({attribute:!1})],Ks.prototype,"current",2),u([k({type:Number})],Ks.prototype,"version",2),Ks=u([L("boardgym-analyse-moves")],Ks);var Ti=class extends _{constructor(){super(...arguments);this.version=0}render(){let{session:e}=this,t=e.current.line,r=t.filter(({judged:a})=>a?.mark),n=t.filter(({judged:a})=>a?.note),o=!e.isJudging&&t.every(({judged:a})=>a);return c`
<h2>The game</h2>
<div class="judge">
<div>
<label for="judge">Judged by</label>
<input
id="judge"
class="mono"
maxlength="400"
autocomplete="off"
spellcheck="false"
.value=${e.judge}
@change=${a=>e.judgePolicy=a.target.value.trim()}
/>
</div>
<button class="primary" @click=${()=>e.judgeLine()}>${e.isJudging?"Stop":"Find the mistakes"}</button>
</div>
<div role="status">
${e.judgeMessage?c`<p class="error">${e.judgeMessage}</p>`:g}
${o&&r.length===0?c`<p>No mistake was found.</p>`:g}
</div>
<boardgym-analyse-graph
.nodes=${t}
.current=${e.current}
.seats=${e.position.game.seats}
.version=${e.version}
@show=${a=>{e.show(a.detail)}}
></boardgym-analyse-graph>
${r.length>0?c`<ol class="mistakes" aria-label="Mistakes">
${r.map(a=>c`<li>
<button aria-current=${a===e.current?"true":g} @click=${()=>{e.show(a)}}>
<span class="number">${a.ply}.</span><span class="sign">${ul[a.judged.mark]}</span>
<span>${a.judged.words}</span>
</button>
</li>`)}
</ol>`:g}
${n.length>0?c`<p class="quiet">Unknown at ${n.length} positions: ${n[0].judged.note}.</p>`:g}
`}};Ti.styles=[C,O,P`
:host {
display: block;
}
.judge {
display: grid;
grid-template-columns: minmax(0, 1fr) auto;
gap: 0.5rem;
align-items: end;
margin-bottom: 0.6rem;
}
.judge input {
width: 100%;
}
.mistakes {
list-style: none;
margin: 0.5rem 0 0;
padding: 0;
}
.mistakes button {
display: flex;
width: 100%;
justify-content: flex-start;
align-items: baseline;
text-align: left;
white-space: normal;
border: 0;
border-top: 1px solid var(--edge);
border-radius: 0;
background: none;
padding: 0.35rem 0.2rem;
}
.mistakes button[aria-current="true"] {
background: var(--tint);
}
.number {
color: var(--quiet);
font-variant-numeric: tabular-nums;
}
.sign {
color: var(--bad);
font-weight: 700;
min-width: 1.3rem;
}
`],u([k({attribute:!1})],Ti.prototype,"session",2),u([k({type:Number})],Ti.prototype,"version",2),Ti=u([L("boardgym-analyse-judge")],Ti);var ml=i=>Oe("/analysis/position",i),Ip=(i,s)=>Oe(`/analysis/openings/${i}`,s),Hp=(i,s)=>Oe("/analysis/openings-of-plays",{game:i,options:s}),qp=i=>Object.entries(i).map(([s,e])=>`${s}=${e}`);function Up(i,s,e){let t=new FormData;t.set("file",i),t.set("game",s);for(let r of qp(e))t.append("option",r);return Oe("/analysis/openings",t)}function fl(i,s,e,t){let r=new URLSearchParams({game:i.game,moves:i.moves.join(" "),policy:s,under:e.join(" "),plies:"1"});i.start&&r.set("start",i.start),r.set("pruning",String(t));for(let n of qp(i.options))r.append("option",n);return me(`/analysis/tree?${r}`)}async function zp(i,s,e,t){let{body:r}=await zr("POST","/analysis/game",{...i,policy:s},t);if(!r)throw new rt(On,0);let n="",o=r.pipeThrough(new TextDecoderStream).getReader();for(;;){let{done:a,value:d}=await o.read().catch(()=>({done:!0,value:""}));if(a)throw new rt(On,0);n+=d;let h=n.split(`

`);n=h.pop()??"";for(let b of h){if(!b.startsWith("data: "))continue;let v=JSON.parse(b.slice(6));if(v.kind==="ply"&&e(v),v.kind==="done")return;if(v.kind==="error")throw new Error(v.error)}}}var Gg=1e3,bo=class{constructor(s){this.on=s;this.wanted=new Map;this.isClosed=!1;this.timer=0;this.asked=0}ask(s){let e={...s,number:++this.asked};this.wanted.set(s.panel,e),this.send(e)}stop(s){this.wanted.delete(s)&&this.send({panel:s,stop:!0})}close(){this.isClosed=!0,clearTimeout(this.timer),this.socket?.close()}send(s){this.socket?.readyState===WebSocket.OPEN?this.socket.send(JSON.stringify(s)):this.socket||this.open()}open(){if(this.isClosed||this.socket)return;let s=new WebSocket(`${location.protocol==="https:"?"wss":"ws"}://${location.host}/api/analysis`);this.socket=s,s.onopen=()=>{for(let e of this.wanted.values())s.send(JSON.stringify(e))},s.onmessage=e=>this.take(e.data),s.onclose=()=>{this.socket=void 0,this.wanted.size>0&&(this.timer=setTimeout(()=>this.open(),Gg))}}take(s){let e=JSON.parse(s);e.panel&&e.number!==this.wanted.get(e.panel)?.number||(e.panel&&(e.kind==="done"||e.kind==="error")&&this.wanted.delete(e.panel),this.on(e))}};var oe=i=>i.toLocaleString("en"),Xt=(i,s,e=s.replace(/s$/,""))=>`${oe(i)} ${i===1?e:s}`,yo=(i,s)=>i.toLocaleString("en",{maximumSignificantDigits:s}),_i=i=>`${(100*i).toLocaleString("en",{maximumFractionDigits:1})} %`;var At=class extends _{constructor(){super(...arguments);this.seats=[];this.palette={};this.name="";this.rows=[];this.message="";this.isBusy=!1;this.asked=0;this.of=""}get rules(){return JSON.stringify([this.place.game,this.place.options])}willUpdate(e){e.has("place")&&(this.rules!==this.of&&(this.file=void 0),this.of=this.rules,this.look())}async look(){let e=++this.asked;if(this.rows=[],this.message="",!!this.file)try{let{moves:t}=await Ip(this.file.id,this.place);e===this.asked&&(this.rows=t)}catch(t){e===this.asked&&(this.message=G(t))}}async take(e,t){let{rules:r}=this;this.message="",this.isBusy=!0;try{let n=await t();if(r!==this.rules)return;this.file=n,this.name=e,this.look()}catch(n){r===this.rules&&(this.message=G(n))}finally{this.isBusy=!1}}chosen(e){let t=e.target,r=t.files?.[0],{game:n,options:o}=this.place;r&&this.take(r.name,()=>Up(r,n,o)),t.value=""}render(){let{file:e}=this;return c`
<div class="field">
<label for="file">A file of games</label>
<input id="file" type="file" accept=".game,.json,.jsonl,.othello,.connect4,.mat,.wtb" ?disabled=${this.isBusy} @change=${this.chosen} />
</div>
<p>
<button
?disabled=${this.isBusy}
@click=${()=>this.take("the studio's games",()=>Hp(this.place.game,this.place.options))}
>
All games that the studio has
</button>
</p>
<div role="status">
${this.isBusy?c`<p class="quiet">Counting the games …</p>`:g}
${this.message?c`<p class="error">${this.message}</p>`:g}
${e?c`<p class="quiet">${this.summary(e)}</p>`:g}
</div>
${e?this.renderMoves():g}
`}summary({games:e,others:t,positions:r}){let n=t>0?`; ${oe(t)} of other games or rules left out`:"";return`${this.name}: ${oe(e)} games, ${oe(r)} positions${n}.`}renderMoves(){return this.rows.length===0?c`<p>No game of these came here.</p>`:c`<table>
<thead>
<tr>
<th scope="col">Move</th>
<th scope="col">Games</th>
<th scope="col">Score</th>
<th scope="col">Won by ${this.seats[0]} · drawn · won by ${this.seats.slice(1).join(", ")}</th>
</tr>
</thead>
<tbody>
${this.rows.map(e=>c`<tr>
<td><button @click=${()=>this.dispatchEvent(new CustomEvent("try",{detail:[e.move]}))}>${e.move}</button></td>
<td>${oe(e.games)}</td>
<td>${e.score===null?"–":`${(100*e.score).toFixed(0)} %`}</td>
<td>${this.renderBar(e)}</td>
</tr>`)}
</tbody>
</table>`}renderBar({wins:e,draws:t}){let r=e.reduce((h,b)=>h+b,t);if(r===0)return"–";let n=h=>100*h/r,o=[[e[0]??0,this.palette["piece-0"]??""],[t,""],...e.slice(1).map((h,b)=>[h,this.palette[`piece-${b+1}`]??""])],a=0,d=`${e[0]} won by ${this.seats[0]}, ${t} drawn, ${e.slice(1).join(", ")} won by ${this.seats.slice(1).join(", ")}`;return c`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${d}>
${o.map(([h,b])=>{let v=a;return a+=n(h),Ig(v,n(h),b)})}
</svg>`}};At.styles=[C,O,P`
:host {
display: block;
}
table {
width: 100%;
border-collapse: collapse;
font-variant-numeric: tabular-nums;
}
th {
font-size: 0.8rem;
color: var(--quiet);
text-align: right;
font-weight: 600;
}
th:first-child,
td:first-child {
text-align: left;
}
td {
text-align: right;
padding: 0.1rem 0.3rem;
border-top: 1px solid var(--edge);
}
td button {
min-height: 1.7rem;
padding: 0 0.4rem;
border-color: transparent;
background: none;
font-weight: 650;
}
.bar {
width: 100%;
min-width: 4rem;
height: 0.7rem;
display: block;
border-radius: 3px;
}
.draw {
fill: var(--edge);
}
input[type="file"] {
padding: 0.3rem;
width: 100%;
}
`],u([k({attribute:!1})],At.prototype,"place",2),u([k({attribute:!1})],At.prototype,"seats",2),u([k({attribute:!1})],At.prototype,"palette",2),u([x()],At.prototype,"file",2),u([x()],At.prototype,"name",2),u([x()],At.prototype,"rows",2),u([x()],At.prototype,"message",2),u([x()],At.prototype,"isBusy",2),At=u([L("boardgym-analyse-openings")],At);var Ig=(i,s,e)=>Q`<rect x=${i} y="0" width=${s} height="10" fill=${e||g} class=${e?g:"draw"} stroke="gray" stroke-width="0.3" />`;var Ys={elapsed:0,isSearching:!1,isReady:!0,message:"",note:""},gl=[1,3,10,30,60,300],Wp=14,es=class extends _{constructor(){super(...arguments);this.heading="";this.finding=Ys;this.suggestions=[];this.exact=!1;this.leavable=!1}tell(e,t){this.dispatchEvent(new CustomEvent(e,{detail:t}))}change(e){this.tell("settings",e)}render(){let{finding:e,exact:t}=this;return c`
<div class="head">
<h2>${this.heading}</h2>
${e.found?c`<span class="value">${this.worthOf(e.found)}</span>`:g}
${e.note?g:c`<button class="toggle" aria-pressed=${e.isSearching} @click=${()=>this.tell("toggle")}>
${e.isSearching?"Stop":"Search"}
</button>`}
${this.leavable?c`<button class="plain" aria-label="Remove this agent" @click=${()=>this.tell("leave")}>✕</button>`:g}
</div>
${e.note?g:c`<p class="effort">${this.effortText()}</p>`}
${t?g:this.renderSettings()}
<div role="status">
${e.message?c`<p class="error">${e.message}</p>`:g}
${e.note?c`<p class="quiet">${e.note[0].toUpperCase()}${e.note.slice(1)}.</p>`:g}
</div>
${e.found?this.renderFound(e.found):g}
`}worthOf(e){let t=e.moves[0];return this.exact&&t?to(t):`${bt(e.value)}${e.is_proven?" proven":""}`}effortText(){let{found:e,isSearching:t,isReady:r,elapsed:n}=this.finding;return e?md(t&&n>e.elapsed?{...e,elapsed:n}:e):t&&!r?`getting ready · ${n.toFixed(1)} s`:t?`searching · ${n.toFixed(1)} s`:""}renderSettings(){let{settings:e}=this,t=gl.includes(e.seconds)||e.seconds===0?gl:[...gl,e.seconds];return c`<div class="fields">
<div>
<label for="policy">Policy</label>
<input
id="policy"
class="mono"
list="policies"
maxlength="400"
autocomplete="off"
spellcheck="false"
.value=${e.policy}
@change=${r=>this.change({policy:r.target.value.trim()})}
/>
<datalist id="policies">${this.suggestions.map(r=>c`<option value=${r}></option>`)}</datalist>
</div>
<div>
<label for="seconds">Time</label>
<select id="seconds" @change=${r=>this.change({seconds:Number(r.target.value)})}>
${t.map(r=>c`<option value=${r} .selected=${r===e.seconds}>${r} s</option>`)}
<option value="0" .selected=${e.seconds===0}>its own</option>
</select>
</div>
<div>
<label for="lines">Lines</label>
<select id="lines" @change=${r=>this.change({lines:Number(r.target.value)})}>
${[1,2,3,4,5].map(r=>c`<option value=${r} .selected=${r===e.lines}>${r}</option>`)}
</select>
</div>
</div>`}renderFound(e){let t=new Set(e.lines.map(({action:n})=>n)),r=e.moves.filter(({action:n,value:o})=>!t.has(n)&&o!==null);return c`
<ol aria-label="Lines of ${this.heading}">
${e.lines.map(n=>this.renderLine(n,e))}
</ol>
${r.length>0?c`<p class="others">${r.map(n=>c`<span>${n.move} ${this.exact?to(n):bt(n.value)}</span>`)}</p>`:g}
`}renderLine(e,t){let r=t.moves.find(({action:n})=>n===e.action);return c`<li>
<span class="worth">${this.exact&&r?to(r):bt(e.value)}</span>
<span class="moves">
${e.moves.slice(0,Wp).map((n,o)=>c`<button title="Show the position after ${n}" @click=${()=>this.tell("try",e.moves.slice(0,o+1))}>${n}</button>`)}
${e.moves.length>Wp?c`<span class="quiet">…</span>`:g}
</span>
</li>`}};es.styles=[C,O,P`
:host {
display: block;
}
.head {
display: flex;
flex-wrap: wrap;
gap: 0.2rem 0.6rem;
align-items: baseline;
}
.value {
font-size: 1.35rem;
font-weight: 700;
font-variant-numeric: tabular-nums;
}
.effort {
color: var(--quiet);
font-size: 0.87rem;
font-variant-numeric: tabular-nums;
min-height: 1.3em;
}
.toggle {
margin-left: auto;
}
.fields {
display: grid;
grid-template-columns: minmax(0, 1fr) auto auto;
gap: 0.5rem;
align-items: end;
}
.fields input,
.fields select {
width: 100%;
}
ol {
list-style: none;
margin: 0.5rem 0 0;
padding: 0;
border-top: 1px solid var(--edge);
}
li {
display: flex;
gap: 0.5rem;
align-items: baseline;
padding: 0.15rem 0;
border-bottom: 1px solid var(--edge);
}
li .worth {
flex: none;
min-width: 3.2rem;
font-weight: 650;
font-variant-numeric: tabular-nums;
}
li .moves {
display: flex;
flex-wrap: wrap;
min-width: 0;
}
li button {
border: 0;
background: none;
min-height: 1.7rem;
padding: 0 0.25rem;
}
li button:first-child {
font-weight: 650;
}
.others {
display: flex;
flex-wrap: wrap;
gap: 0.15rem 0.8rem;
margin: 0.4rem 0 0;
padding: 0;
color: var(--quiet);
font-size: 0.87rem;
font-variant-numeric: tabular-nums;
}
`],u([k()],es.prototype,"heading",2),u([k({attribute:!1})],es.prototype,"settings",2),u([k({attribute:!1})],es.prototype,"finding",2),u([k({attribute:!1})],es.prototype,"suggestions",2),u([k({type:Boolean})],es.prototype,"exact",2),u([k({type:Boolean})],es.prototype,"leavable",2),es=u([L("boardgym-analyse-panel")],es);var Hg={alpha:"α",beta:"β"},Gt=class extends _{constructor(){super(...arguments);this.policy="minimax:3";this.pruning=!0;this.grown={policy:"",pruning:!0};this.open=new Set;this.message="";this.isBusy=!1}willUpdate(e){e.has("place")&&(this.tree=void 0)}async grow(){let{place:e,policy:t,pruning:r}=this;this.message="",this.isBusy=!0;try{let n=await fl(e,t,[],r);e===this.place&&(this.tree=n,this.grown={policy:t,pruning:r},this.open=new Set([n.root]))}catch(n){e===this.place&&(this.message=G(n))}this.isBusy=!1}async fold(e,t){let{tree:r,grown:n,place:o}=this;if(!this.open.delete(e)){if(e.below>0)try{let{root:a}=await fl(o,n.policy,t,n.pruning);if(r!==this.tree)return;Object.assign(e,{children:a.children,below:a.below})}catch(a){r===this.tree&&(this.message=G(a));return}this.open.add(e)}this.open=new Set(this.open)}render(){return c`
<p class="quiet">The tree of <code>minimax:DEPTH</code> or <code>uct:SIMULATIONS</code>, for small ones: up to 50,000 positions.</p>
<form
class="fields"
@submit=${e=>{e.preventDefault(),this.grow()}}
>
<div>
<label for="search">Search</label>
<input
id="search"
class="mono"
maxlength="100"
autocomplete="off"
.value=${this.policy}
@input=${e=>this.policy=e.target.value.trim()}
/>
</div>
<button ?disabled=${this.isBusy}>${this.isBusy?"Growing …":"Show its tree"}</button>
<label class="check">
<input type="checkbox" .checked=${this.pruning} @change=${e=>this.pruning=e.target.checked} />
alpha-beta cuts
</label>
</form>
<div role="status">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
${this.tree?this.renderTree(this.tree):g}
`}renderTree({root:e,seat:t}){let r=e.visits===null?`for ${t}, who takes the greatest`:"for the seat that moves there";return c`
<p class="quiet">Values are ${r}. Bold: the best line.</p>
<ul class="tree" aria-label="Tree of the search">
${this.renderNode(e,[])}
</ul>
`}renderNode(e,t){let r=this.open.has(e),n=e.children.length+e.below,o=e.move||"here";return c`<li class="${e.is_best?"best":""} ${e.pruned?"pruned":""}">
<div class="node">
${n>0?c`<button class="fold" aria-expanded=${r} aria-label="Moves after ${o}" @click=${()=>this.fold(e,t)}>
${r?"▾":"▸"}
</button>`:c`<span class="fold"></span>`}
<button class="move" title="Show the position after ${o}" @click=${()=>this.dispatchEvent(new CustomEvent("try",{detail:t}))}>
${o}
</button>
<span>${this.facts(e)}</span>
</div>
${r&&e.children.length>0?c`<ul>
${e.children.map(a=>this.renderNode(a,[...t,a.move]))}
</ul>`:g}
</li>`}facts(e){if(e.pruned)return`cut off by ${Hg[e.pruned]}`;let t=[bt(e.value)];return e.proven&&e.to_play&&t.push("proven"),e.visits!==null&&t.push(`${oe(e.visits)} visits`),e.to_play?t.push(`${e.to_play} to move`):t.push("game over"),t.join(" · ")}};Gt.styles=[C,O,P`
:host {
display: block;
}
ul {
list-style: none;
margin: 0;
padding-left: 1.1rem;
border-left: 1px solid var(--edge);
}
.tree {
padding: 0;
border: 0;
overflow-x: auto;
}
li > .node {
display: flex;
gap: 0.4rem;
align-items: baseline;
white-space: nowrap;
font-variant-numeric: tabular-nums;
}
.node button {
min-height: 1.7rem;
padding: 0 0.4rem;
border-color: transparent;
background: none;
}
.fold {
width: 1.7rem;
color: var(--quiet);
}
.best > .node .move {
font-weight: 700;
color: var(--accent);
}
.pruned > .node {
color: var(--quiet);
}
.fields {
display: grid;
grid-template-columns: minmax(0, 1fr) auto;
gap: 0.5rem;
align-items: end;
margin-bottom: 0.5rem;
}
.check {
display: flex;
gap: 0.4rem;
align-items: center;
font-weight: 400;
}
`],u([k({attribute:!1})],Gt.prototype,"place",2),u([x()],Gt.prototype,"policy",2),u([x()],Gt.prototype,"pruning",2),u([x()],Gt.prototype,"tree",2),u([x()],Gt.prototype,"open",2),u([x()],Gt.prototype,"message",2),u([x()],Gt.prototype,"isBusy",2),Gt=u([L("boardgym-analyse-search-tree")],Gt);var Kp=P`
:host {
display: block;
}
.room {
display: grid;
grid-template-columns: minmax(0, 1.1fr) minmax(0, 1fr);
gap: 1.25rem;
align-items: start;
}
.board {
position: sticky;
top: 1rem;
min-width: 0;
}
boardgym-board {
display: block;
max-width: 36rem;
margin: 0 auto;
}
.under {
justify-content: center;
margin-top: 0.6rem;
}
.side {
display: flex;
flex-direction: column;
gap: 0.8rem;
min-width: 0;
}
.tabs {
display: flex;
flex-wrap: wrap;
gap: 0.3rem;
}
.steps {
display: grid;
grid-template-columns: repeat(4, 1fr);
gap: 0.4rem;
max-width: 36rem;
margin: 0.6rem auto 0;
}
.steps button {
font-size: 1.3rem;
line-height: 1;
}
.card > p:last-child {
margin-bottom: 0;
}
@media (max-width: 52rem) {
.room {
grid-template-columns: minmax(0, 1fr);
gap: 0.8rem;
}
.board {
position: static;
}
.tabs button {
padding: 0.3rem 0.5rem;
font-size: 0.93rem;
}
}
`;var ln=class i{constructor(s,e){this.move=s;this.parent=e;this.children=[]}get ply(){return this.parent?this.parent.ply+1:0}get path(){return this.parent?[...this.parent.path,this]:[this]}get moves(){return this.path.slice(1).map(({move:s})=>s)}get line(){let s=this.path;for(let e=this.next??this.children[0];e;e=e.next??e.children[0])s.push(e);return s}after(s){let e=this.children.find(t=>t.move===s);return e||(e=new i(s,this),this.children.push(e)),this.next=e,e}choose(){for(let s of this.path)s.parent&&(s.parent.next=s)}forget(){let{parent:s}=this;s&&(s.children=s.children.filter(e=>e!==this),s.next===this&&(s.next=void 0))}};var qg="perfect:detail=full",Ug=60,zg={policy:"uct",seconds:10,lines:3},Wg={policy:"minimax",seconds:10,lines:3},Kg="perfect(uct:2000)",Yg="uct:2000",$o=class{constructor(s){this.changed=s;this.game="ConnectFour-v0";this.options={};this.start=null;this.root=new ln("");this.current=this.root;this.message="";this.version=0;this.settings={first:{...zg},second:{...Wg}};this.findings={first:Ys,second:Ys,perfect:Ys};this.isOn={first:!0,second:!1,perfect:!0};this.judgePolicy="";this.isJudging=!1;this.judgeMessage="";this.searches=new bo(s=>this.take(s));this.onBoard=this.root;this.asked=0;this.begun=0;this.searches.open()}close(){this.searches.close(),this.judging?.abort()}get place(){let{game:s,options:e,start:t}=this;return{game:s,options:e,start:t,moves:this.current.moves}}async begin(s,e,t,r,n=r.length){let o=++this.begun,a={game:s,options:e,start:t},d=new ln(""),h=d;try{let b=await ml({...a,moves:r});if(o!==this.begun)return;for(let v of b.state.moves)h=h.after(v);h.position=b}catch(b){if(o!==this.begun)return;if(this.position)return this.fail(b);this.turnTo({...a,start:null},d),await this.show(d),o===this.begun&&this.fail(b);return}this.turnTo(a,h),await this.show(h.path[Math.min(Math.max(n,0),h.ply)]??h)}turnTo(s,e){this.judging?.abort(),this.stopAll();let t=e.path[0]??e;Object.assign(this,s,{root:t,current:e,onBoard:e,position:e.position,judgeMessage:""})}async show(s){let e=++this.asked;if(s.choose(),this.current=s,this.message="",this.stopAll(),this.tell(),!s.position){try{s.position=await ml(this.place)}catch(t){return e!==this.asked?void 0:(this.onBoard.position&&await this.show(this.onBoard),this.fail(t))}if(e!==this.asked)return}this.onBoard=s,this.position=s.position,this.tell();for(let t of["perfect","first","second"])this.search(t)}async play(s){if(!this.isShown)return;let e=this.current;for(let t of s)e=e.after(t);e!==this.current&&await this.show(e)}step(s){let e=this.current.line,t=e[Math.min(Math.max(this.current.ply+s,0),e.length-1)];t&&t!==this.current&&this.show(t)}forget(s){let{parent:e}=s;s.forget(),this.tell(),e&&this.show(e)}get hasMove(){return this.position!==void 0&&this.position.state.outcome===null&&(this.position.state.to_play??-1)>=0}get isShown(){return this.position!==void 0&&this.position===this.current.position}search(s){if(!(!this.isOn[s]||!this.hasMove||!this.isShown)){if(s==="perfect"){if(!this.position?.has_solver)return;this.searches.ask({...this.place,panel:s,policy:qg,seconds:Ug,lines:2})}else{let{policy:e,seconds:t,lines:r}=this.settings[s];this.searches.ask({...this.place,panel:s,policy:e,seconds:t||null,lines:r})}this.findings[s]={...Ys,isSearching:!0,isReady:!1},this.tell()}}stopAll(){for(let s of["first","second","perfect"])this.searches.stop(s),this.findings[s]=Ys}toggle(s){let{isSearching:e}=this.findings[s];this.isOn[s]=!e,e?(this.searches.stop(s),this.findings[s]={...this.findings[s],isSearching:!1},this.tell()):this.search(s)}change(s,e){this.settings[s]={...this.settings[s],...e},this.isOn[s]=!0,this.search(s),this.tell()}compare(s){this.isOn.second=s,this.searches.stop("second"),this.findings.second=Ys,this.search("second"),this.tell()}take(s){if(!s.panel)return this.message=s.kind==="error"?s.error:"",this.tell();let t={...this.findings[s.panel]};s.kind==="found"?Object.assign(t,{found:s,elapsed:s.elapsed,isReady:!0,message:""}):s.kind==="pulse"?Object.assign(t,{elapsed:s.elapsed,isReady:s.is_ready}):s.kind==="nothing"?t.note=s.why:s.kind==="error"?Object.assign(t,{message:s.error,isSearching:!1}):t.isSearching=!1,this.findings[s.panel]=t,this.tell()}get judge(){return this.judgePolicy||(this.position?.has_solver?Kg:Yg)}async judgeLine(){if(this.judging?.abort(),this.isJudging)return this.isJudging=!1,this.tell();let s=new AbortController;this.judging=s;let e=this.current.line;for(let t of e)t.judged=void 0;this.isJudging=!0,this.judgeMessage="",this.tell();try{let t={...this.place,moves:e.slice(1).map(({move:r})=>r)};await zp(t,this.judge,r=>{let n=e[r.ply];n&&(n.judged=r),this.tell()},s.signal)}catch(t){s.signal.aborted||(this.judgeMessage=G(t))}this.judging===s&&(this.isJudging=!1),this.tell()}fail(s){this.message=G(s),this.tell()}tell(){this.version+=1,this.changed()}};function vr(i){let s=i.composedPath()[0];return!(s instanceof HTMLInputElement||s instanceof HTMLSelectElement||s instanceof HTMLTextAreaElement||i.defaultPrevented||i.ctrlKey||i.metaKey||i.altKey)}function yt(...i){document.title=[...i,"boardgym studio"].join(" · ")}var Yp={search:"Search",openings:"Openings",tree:"Search tree",begin:"Position"},hs=class extends _{constructor(){super(...arguments);this.entries=[];this.tab="search";this.isFlipped=!1;this.message="";this.preferences=new Be(this);this.session=new $o(()=>this.follow());this.address="";this.onKey=e=>{if(!vr(e))return;let t={ArrowLeft:-1,ArrowRight:1,Home:-1/0,End:1/0}[e.key];t!==void 0&&(e.preventDefault(),this.session.step(t))};this.shownPlace=this.session.place}connectedCallback(){super.connectedCallback(),addEventListener("keydown",this.onKey)}disconnectedCallback(){removeEventListener("keydown",this.onKey),this.session.close(),super.disconnectedCallback()}willUpdate(e){e.has("route")&&location.hash!==this.address&&this.load()}async load(){let{query:e}=this.route;this.message="";try{this.entries.length===0&&(this.entries=await Us());let t=xs(this.entries,e.get("game"));if(!t)throw new Error(`There is no game “${e.get("game")??""}”.`);let r={};for(let o of e.getAll("option")){let[a="",d=""]=o.split(/=(.*)/s),h=t.options[a];h&&(r[a]=Xr(d,h.value))}let n=(e.get("moves")??"").split(/\s+/).filter(Boolean);await this.session.begin(t.id,r,e.get("fen"),n,Number(e.get("at")??n.length)),location.hash!==this.address&&(this.address=""),this.follow()}catch(t){this.message=G(t)}}follow(){this.requestUpdate();let{session:e}=this;if(!e.position||!this.isConnected||this.route.room!=="analyse")return;let t=e.current.line,r=ds("analyse",e.game,e.options,{fen:e.start??"",moves:t.slice(1).map(({move:n})=>n).join(" "),at:e.current===t.at(-1)?"":String(e.current.ply)});r!==this.address&&(this.address=r,history.replaceState(history.state,"",r),yt("Analyse",e.position.game.title))}begin({game:e,options:t,start:r,moves:n}){this.session.begin(e,t,r,n)}show(e){this.session.show(e.detail)}play(e){let t=this.session.position?.state.actions.find(({action:r})=>r===e.detail.action)?.move;t!==void 0&&this.session.play([t])}tryMoves(e){this.session.play(e.detail)}render(){let{session:e}=this,t=this.message||e.message;return c`
<h1 class="visually-hidden">Analyse</h1>
<div role="alert">${t?c`<p class="error">${t}</p>`:g}</div>
${e.position?this.renderRoom():t?g:c`<p class="quiet">Loading …</p>`}
`}renderRoom(){let{session:e}=this;return c`
<div class="room">
<section class="board" aria-label="Board">${this.renderBoard()}</section>
<section class="side" aria-label="Analysis">
<div class="tabs" role="group" aria-label="What to look at">
${Object.keys(Yp).map(t=>c`<button aria-pressed=${t===this.tab} @click=${()=>this.tab=t}>${Yp[t]}</button>`)}
</div>
${this.renderTab()}
<div class="card">
<h2>Moves</h2>
<boardgym-analyse-moves
.root=${e.root}
.current=${e.current}
.version=${e.version}
@show=${this.show}
@forget=${t=>e.forget(t.detail)}
></boardgym-analyse-moves>
</div>
${e.current.line.length>1?c`<div class="card">
<boardgym-analyse-judge .session=${e} .version=${e.version}></boardgym-analyse-judge>
</div>`:g}
</section>
</div>
`}renderBoard(){let{session:e}=this,{position:t}=e,r=e.findings.perfect.found??e.findings.first.found;return c`
<boardgym-board
palette=${this.preferences.palette}
.game=${t.game}
.state=${t.state}
.values=${r&&e.isShown?fd(r):{}}
.flipped=${this.isFlipped}
?interactive=${e.hasMove&&e.isShown}
@play=${this.play}
></boardgym-board>
${this.renderSteps()}
<p class="row under">
<button @click=${()=>this.isFlipped=!this.isFlipped}>Turn the board</button>
<a class="button" href=${this.playAddress}>Play from here</a>
</p>
`}get playAddress(){let{session:e}=this;return ds("play",e.game,e.options,{fen:e.position.state.fen})}renderSteps(){let{session:e}=this,t=e.current.line,r=e.current.ply,n=(o,a,d,h)=>c`<button aria-label=${a} title=${a} ?disabled=${!h} @click=${()=>e.step(d)}>${o}</button>`;return c`<div class="steps" role="group" aria-label="Browse the moves">
${n("«","First position",-1/0,r>0)} ${n("‹","One move back",-1,r>0)}
${n("›","One move on",1,r<t.length-1)} ${n("»","Last position",1/0,r<t.length-1)}
</div>`}renderTab(){let{session:e}=this;return this.tab==="search"?this.renderSearch():this.tab==="openings"?c`<div class="card">
<boardgym-analyse-openings
.place=${this.place}
.seats=${e.position.game.seats}
.palette=${e.position.game.palette}
@try=${this.tryMoves}
></boardgym-analyse-openings>
</div>`:this.tab==="tree"?c`<div class="card">
<boardgym-analyse-search-tree .place=${this.place} @try=${this.tryMoves}></boardgym-analyse-search-tree>
</div>`:c`<div class="card">
<boardgym-analyse-begin
.entries=${this.entries}
.game=${e.game}
.options=${e.options}
.fen=${e.position.state.fen}
.moves=${e.current.line.slice(1).map(({move:t})=>t)}
.position=${e.position}
@begin=${t=>this.begin(t.detail)}
></boardgym-analyse-begin>
</div>`}get place(){let{place:e}=this.session;return JSON.stringify(e)!==JSON.stringify(this.shownPlace)&&(this.shownPlace=e),this.shownPlace}renderSearch(){let{session:e}=this,{position:t}=e;return e.hasMove?c`
${t.has_solver?c`<div class="card">${this.renderPanel("perfect","Perfect play")}</div>`:g}
<div class="card">${this.renderPanel("first","Search")}</div>
${e.isOn.second||e.findings.second.found?c`<div class="card">${this.renderPanel("second","Another")}</div>
${this.renderAgreement()}`:c`<p><button @click=${()=>e.compare(!0)}>Compare with another agent</button></p>`}
`:c`<div class="card">${t.rolls.length>0?this.renderRolls():c`<p>${t.state.status}</p>`}</div>`}renderRolls(){let{session:e}=this;return c`
<h2>What does chance bring?</h2>
<div class="row">${e.position.rolls.map(({move:t})=>c`<button @click=${()=>{e.play([t])}}>${t}</button>`)}</div>
`}renderPanel(e,t){let{session:r}=this;return c`<boardgym-analyse-panel
.heading=${t}
.settings=${e==="perfect"?void 0:r.settings[e]}
.finding=${r.findings[e]}
.suggestions=${this.suggestions}
?exact=${e==="perfect"}
?leavable=${e==="second"}
@settings=${n=>e!=="perfect"&&r.change(e,n.detail)}
@toggle=${()=>r.toggle(e)}
@leave=${()=>r.compare(!1)}
@try=${this.tryMoves}
></boardgym-analyse-panel>`}get suggestions(){let e=this.entries.find(({id:t})=>t===this.session.game)?.policies??[];return[...new Set(["uct","minimax","puct",...e])].filter(t=>!/^(random|human)/.test(t))}renderAgreement(){let{first:e,second:t}=this.session.findings;if(!e.found||!t.found)return g;let[r,n]=[this.session.settings.first.policy,this.session.settings.second.policy],o=bt(Math.abs(e.found.value-t.found.value)).replace("+","");return c`<p role="status">
${e.found.move===t.found.move?c`Both play <strong>${e.found.move}</strong>; their values differ by ${o}.`:c`${r} plays <strong>${e.found.move}</strong>, ${n} <strong>${t.found.move}</strong>; their values differ by ${o}.`}
</p>`}};hs.styles=[C,O,Kp],u([k({attribute:!1})],hs.prototype,"route",2),u([x()],hs.prototype,"entries",2),u([x()],hs.prototype,"tab",2),u([x()],hs.prototype,"isFlipped",2),u([x()],hs.prototype,"message",2),hs=u([L("boardgym-analyse-room")],hs);var Jp={waiting:"waits",playing:"is played",finished:"finished",stopped:"stopped",interrupted:"interrupted",failed:"failed"},Zp=({state:i})=>i==="waiting"||i==="playing",Qp=({state:i})=>["stopped","interrupted","failed"].includes(i),Xp=()=>me("/arena/forms"),eh=i=>me(`/arena/forms/${encodeURIComponent(i)}`),th=i=>me(`/arena/${encodeURIComponent(i)}`),sh=(i,s)=>Oe(`/arena/${i}/${s}`),ih=i=>Oe("/arena",i),rh=({names:i},s)=>i[s]??s;function wo({done:i,total:s,rate:e,state:t}){if(s===0)return t==="playing"?"makes the openings…":"";let r=e?` · ${yo(e,2)} games a second`:"";return`${oe(i)} of ${oe(s)} games${r}`}var br=i=>`${i>0?"+":i<0?"−":""}${Math.abs(Math.round(i))}`;function vl(i,s,e){return i===null?s!==null?`> ${br(s)}`:e!==null?`< ${br(e)}`:"none":i===s&&i===e?br(i):`${br(i)} [${s===null?"−∞":br(s)}, ${e===null?"∞":br(e)}]`}var nh=({value:i,low:s,high:e})=>`${i.toFixed(3)} [${s.toFixed(3)}, ${e.toFixed(3)}]`;var Jg=12,xo=P`
.grid {
display: grid;
grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
gap: 0.25rem 1.25rem;
align-items: start;
}
.check {
display: flex;
gap: 0.5rem;
align-items: center;
min-height: 2.4rem;
}
.help {
margin: 0.25rem 0 0;
}
.wrong {
color: var(--bad);
margin: 0.25rem 0 0;
overflow-wrap: anywhere;
}
[data-wrong] input,
[data-wrong] select,
[data-wrong] textarea {
border-color: var(--bad);
}
.make {
min-height: 3rem;
font-size: 1.1rem;
padding: 0.3rem 2rem;
}
`,oh=({label:i,name:s})=>i||ko(s.replaceAll("_"," ")),ko=i=>i.charAt(0).toUpperCase()+i.slice(1);function So(i,s,e,t,r="the learner decides"){let n=`field-${i.name}`,o=`${n}-help${e?` ${n}-error`:""}`;return c`<div class="field" ?data-wrong=${e!==""}>
${i.kind==="flag"&&!i.is_optional?c`<label class="check" for=${n}>${ah(i,s,e,t,n,o,r)} ${oh(i)}</label>`:c`<label for=${n}>${oh(i)}</label>${ah(i,s,e,t,n,o,r)}`}
${e?c`<p class="wrong" id="${n}-error">${e}</p>`:g}
<p class="help" id="${n}-help">${ko(i.help)}</p>
</div>`}function ah(i,s,e,t,r,n,o){let a=e?"true":"false",d=b=>b.target.value;if(i.kind==="flag"&&!i.is_optional)return c`<input
id=${r}
type="checkbox"
aria-describedby=${n}
aria-invalid=${a}
.checked=${s===!0}
@change=${b=>t(b.target.checked)}
/>`;if(i.kind==="flag"||i.kind==="choice"){let b=i.kind==="flag"?["true","false"]:i.choices,v=i.kind==="flag"?["yes","no"]:i.labels,w=T=>T===""?null:i.kind==="flag"?T==="true":T;return c`<select
id=${r}
aria-describedby=${n}
aria-invalid=${a}
@change=${T=>t(w(d(T)))}
>
${i.is_optional?c`<option value="" ?selected=${s===null}>${o}</option>`:g}
${b.map((T,R)=>c`<option value=${T} ?selected=${String(s)===T}>${v[R]??T}</option>`)}
</select>`}if(i.kind==="list"&&i.item==="text")return c`<textarea
id=${r}
rows=${Math.min(10,Math.max(2,Array.isArray(s)?s.length:0))}
aria-describedby=${n}
aria-invalid=${a}
placeholder=${s===null?o:"one a line"}
.value=${Array.isArray(s)?s.join(`
`):""}
@change=${b=>t(lh(d(b).split(`
`),i))}
></textarea>`;let h=i.kind==="int"||i.kind==="float";return c`<input
id=${r}
type="text"
size=${h?Jg:30}
inputmode=${h?"decimal":"text"}
autocomplete="off"
spellcheck="false"
list=${i.choices.length>0?`${r}-choices`:g}
aria-describedby=${n}
aria-invalid=${a}
placeholder=${s===null&&i.is_optional?o:""}
.value=${Zg(s)}
@change=${b=>t(Qg(d(b),i))}
/>${i.choices.length>0?c`<datalist id="${r}-choices">${i.choices.map(b=>c`<option value=${b}></option>`)}</datalist>`:g}`}var Zg=i=>i===null?"":Array.isArray(i)?i.join(" "):String(i);function Qg(i,s){let e=i.trim();return e===""&&s.is_optional?null:s.kind==="list"?lh(e.split(/[\s,]+/),s):s.kind==="int"||s.kind==="float"?ch(e):e}function lh(i,s){let e=i.map(t=>t.trim()).filter(t=>t!=="");return e.length===0&&s.is_optional?null:s.item==="text"?e:e.map(ch)}var ch=i=>i!==""&&Number.isFinite(Number(i))?Number(i):i;var dh=["games","openings"],$t=class extends _{constructor(){super(...arguments);this.query=new URLSearchParams;this.kinds=[];this.entries=[];this.agents=[];this.given={};this.errors={};this.message="";this.isBusy=!1;this.tournamentName="";this.asked=0}willUpdate(e){e.has("query")&&this.begin()}async begin(){let e=++this.asked;try{[this.kinds,this.entries,this.agents]=await Promise.all([Xp(),Us(),nr()]);let t=this.query.get("like"),r=t?await th(t):void 0;if(e!==this.asked)return;r&&(this.tournamentName=r.tournament.name),await this.choose(r?.tournament.kind??this.query.get("kind")??"match",r?.tournament.given??{})}catch(t){e===this.asked&&(this.message=G(t))}}async choose(e,t){let r=++this.asked;try{let n=await eh(e);if(r!==this.asked)return;let o=new Map(n.fields.map(({name:d,kind:h})=>[d,h])),a=Object.entries(t).filter(([d,h])=>o.has(d)&&o.get(d)==="list"===Array.isArray(h));Object.assign(this,{form:n,given:Object.fromEntries(a),errors:{},message:""})}catch(n){r===this.asked&&(this.message=G(n))}}change(e,t){this.given={...this.given,[e]:t};let{[e]:r,...n}=this.errors;this.errors=n}async make(e){if(e.preventDefault(),!(!this.form||this.isBusy)){Object.assign(this,{isBusy:!0,errors:{},message:""});try{let t=await ih({name:this.tournamentName.trim(),kind:this.form.name,given:this.given});location.hash=`#/arena/${t.id}`}catch(t){Object.assign(this,$i(t)),await this.updateComplete,this.renderRoot.querySelector("[aria-invalid=true]")?.focus()}finally{this.isBusy=!1}}}get entry(){let e=this.form?.fields.find(({name:t})=>t==="game")?.default??null;return xs(this.entries,String(this.given.game??e))}render(){let{form:e}=this;return c`<p class="quiet"><a href="#/arena">All tournaments</a></p>
<h1>New tournament</h1>
${e?this.renderForm(e):this.message?g:c`<p class="quiet">Loading the form…</p>`}
<div role="alert">${this.message&&!e?c`<p class="error">${this.message}</p>`:g}</div>`}renderForm(e){let t=e.fields.filter(({is_policy:o})=>o),r=e.fields.filter(({name:o,is_policy:a})=>!a&&o!=="game"&&!dh.includes(o)),n=r.some(({name:o})=>o in this.given||o in this.errors);return c`<form novalidate @submit=${o=>this.make(o)}>
<div class="card">
<div class="grid">${this.renderKind(e)} ${this.renderGame()} ${this.renderName()}</div>
<div class="grid">${t.map(o=>this.renderPolicy(o))}</div>
<div class="grid first">${e.fields.filter(({name:o})=>dh.includes(o)).map(o=>this.renderField(o))}</div>
<details ?open=${n}>
<summary>More</summary>
<div class="grid">${r.map(o=>this.renderField(o))}</div>
</details>
</div>
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
<button class="primary make" ?disabled=${this.isBusy}>${this.isBusy?"Checking the players…":"Begin"}</button>
</form>`}renderKind(e){return c`<div class="field">
<label for="kind">Kind</label>
<select id="kind" aria-describedby="kind-help"
@change=${t=>this.choose(t.target.value,this.given)}>
${this.kinds.map(({name:t,title:r})=>c`<option value=${t} .selected=${t===e.name}>${r}</option>`)}
</select>
<p class="help" id="kind-help">${e.help}</p>
</div>`}renderGame(){return c`<div class="field" ?data-wrong=${"game"in this.errors}>
<label for="game">Game</label>
<select id="game" aria-invalid=${"game"in this.errors?"true":"false"}
@change=${e=>this.change("game",e.target.value)}>
${this.entries.filter(({seats:e})=>e.length===2).map(({id:e,title:t})=>c`<option value=${e} .selected=${e===this.entry?.id}>${t}</option>`)}
</select>
${this.errors.game?c`<p class="wrong">${this.errors.game}</p>`:g}
</div>`}renderName(){return c`<div class="field">
<label for="name">Name</label>
<input id="name" maxlength="80" autocomplete="off" placeholder="made from kind and game" .value=${this.tournamentName}
@input=${e=>this.tournamentName=e.target.value} />
</div>`}renderField(e){let t=e.name==="openings"?["heldout","train","start",...this.entry?.setups??[]]:e.choices,r=e.name in this.given?this.given[e.name]??null:e.default;return So({...e,choices:t},r,this.errors[e.name]??"",n=>this.change(e.name,n),"as usual")}renderPolicy(e){let t=e.name in this.given?this.given[e.name]:e.default,r=Array.isArray(t)?t.map(String):[String(t??"")],n=this.agents.filter(({game:d})=>d===this.entry?.id),o=[...(this.entry?.policies??[]).map(d=>[d,d]),...n.map(({id:d,name:h})=>[`bot:${d}`,`${h} (bot)`])],a=d=>{let h=r.filter(v=>v!==d),b=h.length<r.length;this.change(e.name,e.kind==="list"?b?h:[...r,d]:d)};return c`<div>
${this.renderField(e)}
<div class="row chips" role="group" aria-label="Suggestions: ${e.name}">
${o.map(([d,h])=>c`<button type="button" class="mono" aria-pressed=${r.includes(d)} @click=${()=>a(d)}>
${h}
</button>`)}
</div>
</div>`}};$t.styles=[C,O,xo,P`
.chips {
gap: 0.3rem;
margin: 0 0 0.8rem;
}
.chips button {
min-height: 1.9rem;
padding: 0.1rem 0.6rem;
font-size: 0.85rem;
}
.card {
margin-bottom: 1rem;
}
@media (min-width: 46rem) {
.first {
grid-template-columns: minmax(0, 1fr) minmax(0, 3fr);
}
}
`],u([k({attribute:!1})],$t.prototype,"query",2),u([x()],$t.prototype,"kinds",2),u([x()],$t.prototype,"entries",2),u([x()],$t.prototype,"agents",2),u([x()],$t.prototype,"form",2),u([x()],$t.prototype,"given",2),u([x()],$t.prototype,"errors",2),u([x()],$t.prototype,"message",2),u([x()],$t.prototype,"isBusy",2),$t=u([L("boardgym-arena-form")],$t);var ph=P`
.interval {
display: block;
width: 100%;
min-width: 7rem;
height: 1.6rem;
min-height: 0;
padding: 0;
border: 0;
border-radius: 4px;
background: var(--surface);
}
.interval:hover,
.interval[aria-pressed="true"] {
outline: 2px solid var(--accent);
outline-offset: -2px;
}
.interval svg {
display: block;
width: 100%;
height: 100%;
}
.interval .zero {
stroke: var(--field-edge);
stroke-dasharray: 2 2;
}
.interval .bar {
stroke: var(--accent);
stroke-width: 6;
opacity: 0.45;
}
.interval .value {
stroke: var(--accent);
stroke-width: 3;
}
.interval line {
vector-effect: non-scaling-stroke;
}
`,Eo=({state:i})=>c`<span class="chip ${i==="playing"?"training":i}">${Jp[i]}</span>`,Po=({name:i,done:s,total:e})=>e===0?g:c`<progress aria-label="How far ${i} has come" max=${e} value=${s}></progress>`;function bl(i,s,e,{from:t,to:r,mark:n}){let o=d=>100*(Math.min(Math.max(d,t),r)-t)/(r-t||1),a=(d,h,b,v,w)=>Q`<line class=${d} x1=${h} x2=${b} y1=${v} y2=${w} />`;return Q`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
${a("zero",o(n),o(n),0,10)}
${i===null&&s===null&&e===null?g:a("bar",o(s??t),o(e??r),5,5)}
${i===null?g:a("value",o(i),o(i),1,9)}
</svg>`}var To=i=>me(`/records?${i}`),hh=i=>me(`/records/${encodeURIComponent(i)}`),uh=()=>me("/records/files"),mh=i=>Oe(`/records/files?name=${encodeURIComponent(i.name.slice(-200))}`,i);function fh({game:i,options:s,start:e,replay:t},r){let n=(t.states.at(-1)?.moves??[]).join(" ");return ds("analyse",i,s,{fen:e,moves:n,at:String(r)})}var gh=({game:i,options:s,start:e,replay:t},r)=>ds("play",i,s,{fen:t.states[r]?.fen??e});var cn=100,wt=class extends _{constructor(){super(...arguments);this.tournamentId="";this.line=0;this.games=0;this.isPaired=!0;this.seats=[];this.offset=0;this.found=[];this.message="";this.isAsking=!1;this.asked=0;this.known=-1}willUpdate(e){let t=e.has("line")||e.has("tournamentId");t&&Object.assign(this,{offset:0,found:[]});let r=this.found.length<cn&&this.games!==this.known&&!this.isAsking;(t||e.has("offset")||r)&&this.load()}async load(){let e=++this.asked;this.isAsking=!0,this.known=this.games;let t=new URLSearchParams({tournament:this.tournamentId,line:String(this.line),sort:"number",down:"false"});t.set("limit",String(cn)),t.set("offset",String(this.offset));try{let{games:r}=await To(t);e===this.asked&&Object.assign(this,{found:r,message:""})}catch(r){e===this.asked&&(this.message=G(r))}e===this.asked&&(this.isAsking=!1)}render(){let e=this.isPaired?2:1,t=[];for(let n=0;n<this.found.length;n+=e)t.push(this.found.slice(n,n+e));let r=this.offset+this.found.length;return c`<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
${t.length===0&&!this.message?c`<p class="quiet">${this.isAsking?"Loading the games…":"No game of these has ended yet."}</p>`:g}
<ol>
${t.map((n,o)=>this.renderPart(n,this.offset/e+o+1))}
</ol>
${this.games>cn?c`<div class="row" role="group" aria-label="Pages">
<button ?disabled=${this.offset===0} @click=${()=>this.offset-=cn}>Earlier</button>
<span class="quiet">games ${this.offset+1} – ${r} of ${oe(this.games)}</span>
<button ?disabled=${r>=this.games} @click=${()=>this.offset+=cn}>Later</button>
</div>`:g}`}renderPart(e,t){let r=e.reduce((n,{winner:o,seat:a})=>n+(o<0?.5:o===a?1:0),0);return c`<li>
<a href="#/games/${e.map(({id:n})=>n).join("/")}">
<span class="score">${this.isPaired?"Pair":"Game"} ${t}: ${r} of ${e.length}</span>
${e.map(({winner:n,seat:o,plies:a})=>c`<div class="quiet">
as ${this.seats[o]??"?"}: ${n<0?"drawn":n===o?"won":"lost"} in ${Xt(a,"plies","ply")}
</div>`)}
</a>
</li>`}};wt.styles=[C,O,P`
ol {
list-style: none;
margin: 0 0 0.6rem;
padding: 0;
display: grid;
grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
gap: 0.4rem;
}
a {
display: block;
padding: 0.4rem 0.7rem;
border: 1px solid var(--edge);
border-radius: var(--radius);
background: var(--raised);
color: inherit;
text-decoration: none;
}
a:hover {
border-color: var(--accent);
}
.score {
font-weight: 600;
}
`],u([k({attribute:!1})],wt.prototype,"tournamentId",2),u([k({attribute:!1})],wt.prototype,"line",2),u([k({attribute:!1})],wt.prototype,"games",2),u([k({attribute:!1})],wt.prototype,"isPaired",2),u([k({attribute:!1})],wt.prototype,"seats",2),u([x()],wt.prototype,"offset",2),u([x()],wt.prototype,"found",2),u([x()],wt.prototype,"message",2),u([x()],wt.prototype,"isAsking",2),wt=u([L("boardgym-pairs")],wt);var Xg=404,Js=class{constructor(s,e,t){this.host=s;this.folder=e;this.begun=t;this.message="";this.id="";this.asked=0;s.addController(this)}hostConnected(){this.id&&this.begin()}hostDisconnected(){this.stop()}follow(s){this.id=s,this.begin()}async begin(){if(this.stop(),Object.assign(this,{now:void 0,message:""}),this.host.requestUpdate(),!this.id)return;let{asked:s,path:e}=this;try{let t=await me(e);if(s!==this.asked)return;this.take(t),this.begun(t),this.end=Hs(`${e}/events`,r=>this.take(r),r=>{r&&this.checkIsThere()})}catch(t){s===this.asked&&this.say(G(t))}}stop(){this.asked+=1,this.end?.(),this.end=void 0}get path(){return`${this.folder}/${encodeURIComponent(this.id)}`}async checkIsThere(){let{asked:s,path:e}=this;try{await me(e)}catch(t){if(s!==this.asked||!(t instanceof rt)||t.status!==Xg)return;this.stop(),this.now=void 0,this.say(t.message)}}take(s){this.now=s,this.host.requestUpdate()}say(s){this.message=s,this.host.requestUpdate()}};var yr=({game:i,states:s,comments:e,pieces:t})=>({game:i,comments:e,states:s.map(r=>({...r,pieces:r.pieces.map(n=>t[n]??null)}))});function vh(i,{is_whole:s,bots:e,gone:t,limit:r}){let n=new Map((s?[]:i?.bots??[]).map(o=>[o.id,o]));for(let o of e)n.set(o.id,o);for(let o of t)n.delete(o);return{bots:[...n.values()].sort((o,a)=>o.created<a.created?1:-1),limit:r}}var bh={waiting:"waits",training:"trains",finished:"finished",stopped:"stopped",interrupted:"interrupted",failed:"failed",uploaded:"uploaded"},Ps=i=>i.state==="waiting"||i.state==="training",Mi=i=>i.learner!==""&&["stopped","interrupted","failed"].includes(i.state),yh=()=>me("/learners"),_o=(i,s)=>me(`/learners/${encodeURIComponent(i)}?${s}`),$h=i=>me(`/bots/${encodeURIComponent(i)}`),Zs=(i,s)=>Oe(`/bots/${i}/${s}`),wh=i=>Oe(`/bots/${i}/snapshot`),xh=(i,s)=>me(`/bots/${i}/memory?moves=${s.join(",")}`),kh=(i,s)=>me(`/bots/${i}/perfect?${new URLSearchParams({fen:s})}`),Sh=i=>`/api/bots/${i}/agent`,Mo=i=>Oe("/bots",i),yl=(i,s)=>Oe(`/agents?${new URLSearchParams({name:s.slice(0,80)})}`,i);async function Eh(i,s){return yl(await(await zr("GET",`/bots/${i}/agent`)).blob(),s)}function $l(i,s,e){let t=new URLSearchParams({fen:e});return s!==void 0&&t.set("done",String(s)),me(`/bots/${i}/views?${t}`)}async function Ph(i,s,e){let t=await Oe(`/bots/${i}/games`,{done:s,number:e});return{...t,...yr(t)}}var Th=(i,{spec:s,game:e,options:t,seat:r})=>ds("play",e,t,{seats:i.seats.map((n,o)=>o===r?s:"human").join(";")});var us=P`
.chip {
display: inline-block;
border-radius: 99px;
padding: 0.1rem 0.6rem;
font-size: 0.85rem;
font-weight: 600;
background: var(--surface);
border: 1px solid var(--edge);
white-space: nowrap;
}
.chip.training {
background: var(--tint);
border-color: var(--accent);
color: var(--accent);
}
.chip.finished {
color: var(--good);
border-color: var(--good);
}
.chip.failed {
color: var(--bad);
border-color: var(--bad);
background: var(--bad-tint);
}
progress {
display: block;
width: 100%;
height: 0.5rem;
margin: 0.35rem 0;
accent-color: var(--accent);
border: 0;
border-radius: 99px;
overflow: hidden;
background: var(--edge);
}
progress::-webkit-progress-bar {
background: var(--edge);
}
progress::-webkit-progress-value {
background: var(--accent);
}
progress::-moz-progress-bar {
background: var(--accent);
}
`,$r=i=>c`<span class="chip ${i.state}">${bh[i.state]}</span>`;function wr({progress:i,name:s,state:e}){return!i||e==="uploaded"?g:c`<progress
aria-label="How far ${s} has come"
max=${Math.max(i.total,1)}
value=${i.done}
></progress>`}function Ai({progress:i,state:s}){if(!i)return s==="training"?"starting…":"";let{done:e,total:t,unit:r,size:n}=i;return`${t>e?`${oe(e)} of ${Xt(t,r)}`:Xt(e,r)}${n?` · ${n}`:""}`}var ev={from:0,to:1,mark:.5},Ts=class extends _{constructor(){super(...arguments);this.tournamentId="";this.opened=[];this.message="";this.isSure=!1;this.followed=new Js(this,"/arena",({tournament:e})=>yt(e.name,"Arena"))}willUpdate(e){e.has("tournamentId")&&(Object.assign(this,{message:"",isSure:!1,opened:[]}),this.followed.follow(this.tournamentId))}get page(){return this.followed.now}async tell(e){this.message="",await sh(this.tournamentId,e).catch(t=>this.message=G(t))}async forget(){if(!this.isSure){this.isSure=!0;return}this.followed.stop();try{await Is(`/arena/${this.tournamentId}`),location.hash="#/arena"}catch(e){this.message=G(e),this.followed.begin()}}open(...e){this.opened=e.join()===this.opened.join()?[]:e}name(e){return this.page?rh(this.page.tournament,e):e}render(){let{page:e}=this,t=c`<p class="quiet"><a href="#/arena">All tournaments</a></p>`,r=this.message||this.followed.message,n=c`<div role="alert">${r?c`<p class="error">${r}</p>`:g}</div>`;if(!e)return c`${t}${n}${r?g:c`<p class="quiet">Loading the tournament…</p>`}`;let{tournament:o,rows:a,log:d}=e;return c`${t}
<div class="row title"><h1>${o.name}</h1>${Eo(o)}<span class="quiet">${o.title}</span></div>
${Po(o)}
<p class="quiet" role="status">${[wo(o),o.message].filter(h=>h).join(" — ")}</p>
${n} ${this.renderButtons()} ${a.length>0?this.renderStandings(e):g}
<section class="card" aria-labelledby="made">
<h2 id="made">How it was made</h2>
<p class="quiet">The same on the command line:</p>
<pre><code>${o.command}</code></pre>
${d?c`<details>
<summary class="quiet">What its process said</summary>
<pre tabindex="0">${d}</pre>
</details>`:g}
</section>`}renderButtons(){let e=this.page?.tournament;if(!e)return g;let{id:t}=e;return c`<div class="row buttons">
${Zp(e)?c`<button @click=${()=>this.tell("stop")}>Stop</button>`:g}
${Qp(e)?c`<button class="primary" @click=${()=>this.tell("resume")}>Go on</button>`:g}
${e.done>0?c`<a class="button" href="/api/arena/${t}/report" download>Report</a>
<a class="button" href="/api/arena/${t}/record" download>Record</a>
<a class="button" href="#/games?tournament=${t}&sort=number&down=false">All its games</a>`:g}
<a class="button" href="#/arena/new?like=${t}">Make one like it</a>
<button class="danger" @click=${()=>this.forget()} @blur=${()=>this.isSure=!1}>
${this.isSure?"Yes, delete it with its games":"Delete"}
</button>
</div>`}renderStandings(e){return c`${e.ratings.length>0?this.renderRatings(e):g}
<section class="card" aria-labelledby="results">
<h2 id="results">Results</h2>
<div class="wide" tabindex="0" role="group" aria-label="Results">${this.renderRows(e)}</div>
${e.ratings.length>2?this.renderCross(e):g}
<p class="help">Intervals are of 95 %, over pairs of games from one opening with the seats swapped. Open one to see its pairs.</p>
</section>
${this.opened.map(t=>this.renderPairs(e,t))}`}renderPairs({tournament:e,rows:t},r){let n=t[r];return n?c`<section class="card" aria-labelledby="pairs-${r}">
<h2 id="pairs-${r}">${this.name(n.a)} against ${this.name(n.b)}</h2>
<boardgym-pairs
.tournamentId=${e.id}
.line=${r}
.games=${n.games}
.isPaired=${n.seat===null}
.seats=${e.seats}
></boardgym-pairs>
</section>`:g}renderRatings({ratings:e,rows:t}){let r=e.flatMap(({elo:b,low:v,high:w})=>[b,v,w]).filter(b=>b!==null),[n,o]=r.length>0?[Math.min(...r),Math.max(...r)]:[0,0],a=.06*(o-n)+10,d={from:n-a,to:o+a,mark:0},h=[...e].sort((b,v)=>(v.elo??-1/0)-(b.elo??-1/0));return c`<section class="card" aria-labelledby="ratings">
<h2 id="ratings">Ratings</h2>
<table class="narrow">
<thead>
<tr><th scope="col">Player</th><th scope="col">Elo with its interval</th><th scope="col" class="picture">Picture</th></tr>
</thead>
<tbody>
${h.map(({name:b,elo:v,low:w,high:T})=>{let R=t.flatMap(({a:W,b:Z},M)=>W===b||Z===b?[M]:[]),H=R.join()===this.opened.join();return c`<tr>
<th scope="row">${this.name(b)}</th>
<td>${vl(v,w,T)}</td>
<td class="picture">
<button class="interval" aria-pressed=${H} aria-label="Pairs of games of ${this.name(b)}"
@click=${()=>this.open(...R)}>${bl(v,w,T,d)}</button>
</td>
</tr>`})}
</tbody>
</table>
</section>`}renderRows({rows:e,tournament:t}){return c`<table class="narrow">
<thead>
<tr>
${["Players","Won – drawn – lost","Score rate"].map(r=>c`<th scope="col">${r}</th>`)}
<th scope="col" class="picture">Picture</th>
<th scope="col">Elo difference</th>
</tr>
</thead>
<tbody>
${e.map((r,n)=>{let o=r.seat===null?"":` as ${t.seats[r.seat]}`,a=`${this.name(r.a)}${o} against ${this.name(r.b)}`;return c`<tr>
<th scope="row" class="all">${a}</th>
<td>${r.wins} – ${r.draws} – ${r.losses}${tv(r)}</td>
<td>${nh(r.score)}</td>
<td class="picture">
<button class="interval" aria-pressed=${this.opened.includes(n)} aria-label="Pairs of games of ${a}"
@click=${()=>this.open(n)}>${bl(r.score.value,r.score.low,r.score.high,ev)}</button>
</td>
<td class="all"><span class="elo">Elo </span>${vl(r.elo.value,r.elo.low,r.elo.high)}</td>
</tr>`})}
</tbody>
</table>`}renderCross({ratings:e,rows:t}){let r=e.map(({name:o})=>o),n=(o,a)=>{let d=t.findIndex(({a:v,b:w})=>v===o&&w===a||v===a&&w===o),h=t[d];if(!h)return c`<td></td>`;let b=h.a===o?h.score.value:1-h.score.value;return c`<td>
<button class="plain" aria-label="Pairs of games of ${this.name(o)} against ${this.name(a)}" @click=${()=>this.open(d)}>
${(100*b).toFixed(0)} %
</button>
</td>`};return c`<details>
<summary>Cross table</summary>
<div class="wide" tabindex="0" role="group" aria-label="Cross table">
<table class="cross">
<thead>
<tr><td></td>${r.map(o=>c`<th scope="col">${this.name(o)}</th>`)}</tr>
</thead>
<tbody>
${r.map(o=>c`<tr><th scope="row">${this.name(o)}</th>${r.map(a=>n(o,a))}</tr>`)}
</tbody>
</table>
</div>
</details>`}};Ts.styles=[C,O,us,ph,P`
.title h1 {
margin: 0;
overflow-wrap: anywhere;
min-width: 0;
}
.buttons {
margin: 0.8rem 0 1.2rem;
}
.card {
margin-bottom: 1rem;
}
.danger {
color: var(--bad);
margin-left: auto;
}
.wide {
overflow-x: auto;
outline-offset: -2px;
}
table {
border-collapse: collapse;
width: 100%;
font-variant-numeric: tabular-nums;
}
th {
text-align: left;
font-weight: 600;
font-size: 0.87rem;
color: var(--quiet);
padding: 0.2rem 1rem 0.2rem 0;
}
tbody th {
color: var(--text);
max-width: 16rem;
overflow-wrap: break-word;
}
td {
padding: 0.2rem 1rem 0.2rem 0;
border-top: 1px solid var(--edge);
white-space: nowrap;
}
tbody th {
border-top: 1px solid var(--edge);
}
.picture {
width: 40%;
}
.forfeit {
margin: 0.2rem 0;
max-width: 24rem;
white-space: normal;
overflow-wrap: anywhere;
}
@media (min-width: 46.01rem) {
.elo {
display: none;
}
}
.cross {
width: auto;
}
.cross td,
.cross thead th {
text-align: center;
padding: 0.1rem 0.4rem;
}
.cross thead td {
border: 0;
}
@media (max-width: 46rem) {
.narrow thead {
display: none;
}
.narrow tr {
display: grid;
grid-template-columns: minmax(0, 1fr) auto;
column-gap: 0.6rem;
border-top: 1px solid var(--edge);
padding: 0.3rem 0;
}
.narrow tr > * {
border: 0;
padding: 0.1rem 0;
white-space: normal;
}
.narrow .all,
.narrow .picture {
grid-column: 1 / 3;
width: auto;
max-width: none;
}
}
pre {
white-space: pre-wrap;
overflow-wrap: anywhere;
font-size: 0.82rem;
}
`],u([k({attribute:!1})],Ts.prototype,"tournamentId",2),u([x()],Ts.prototype,"opened",2),u([x()],Ts.prototype,"message",2),u([x()],Ts.prototype,"isSure",2),Ts=u([L("boardgym-tournament")],Ts);var tv=({forfeits:i,opponent_forfeits:s,messages:e})=>i+s===0?g:c`<details>
<summary>forfeits: ${i} own, ${s} of the other</summary>
${e.map(t=>c`<p class="forfeit">${t}</p>`)}
</details>`;var dn=class extends _{render(){let s=this.route.rest[0]??"";return s==="new"?c`<boardgym-arena-form .query=${this.route.query}></boardgym-arena-form>`:s?c`<boardgym-tournament .tournamentId=${s}></boardgym-tournament>`:c`<boardgym-tournament-list></boardgym-tournament-list>`}};u([k({attribute:!1})],dn.prototype,"route",2),dn=u([L("boardgym-arena-room")],dn);var xr=class extends _{connectedCallback(){super.connectedCallback(),this.end=Hs("/arena/events",({tournaments:s})=>this.list=s)}disconnectedCallback(){this.end?.(),super.disconnectedCallback()}render(){let{list:s}=this;return c`<div class="row head">
<h1>Arena</h1>
<a class="button primary" href="#/arena/new">New tournament</a>
</div>
${s===void 0?c`<p class="quiet">Loading the tournaments…</p>`:s.length===0?c`<div class="card empty">
<p>Which of two policies is stronger, and by how much?</p>
<p class="quiet">Let them play pairs of games, with the seats swapped, and watch the interval close.</p>
<a class="button primary" href="#/arena/new">Make the first tournament</a>
</div>`:c`<ul>
${s.map(e=>this.renderOne(e))}
</ul>`}`}renderOne(s){return c`<li>
<div class="title"><a href="#/arena/${s.id}">${s.name}</a>${Eo(s)}</div>
<div class="quiet">${s.title} · ${s.kind}</div>
${Po(s)}
<div class="quiet">${wo(s)}</div>
${s.state==="failed"?c`<div class="quiet">${s.message}</div>`:g}
</li>`}};xr.styles=[C,O,us,P`
.head {
justify-content: space-between;
margin-bottom: 1rem;
}
.head h1 {
margin: 0;
}
ul {
list-style: none;
margin: 0;
padding: 0;
display: grid;
grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
gap: 0.75rem;
}
li {
border: 1px solid var(--edge);
border-radius: 12px;
background: var(--raised);
padding: 0.8rem 1rem;
min-width: 0;
overflow-wrap: anywhere;
}
.title {
display: flex;
justify-content: space-between;
gap: 0.5rem;
align-items: baseline;
font-weight: 600;
}
.empty {
text-align: center;
padding: 2.5rem 1rem;
}
`],u([x()],xr.prototype,"list",2),xr=u([L("boardgym-tournament-list")],xr);var _h=P`
:host {
display: block;
}
.fields {
display: grid;
grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
gap: 0 0.8rem;
align-items: end;
}
form {
margin-bottom: 1rem;
}
form .field button {
width: 100%;
}
.tools {
margin: 0.6rem 0;
}
table {
width: 100%;
border-collapse: collapse;
}
th {
text-align: left;
font-size: 0.87rem;
color: var(--quiet);
}
th button {
padding: 0;
min-height: 2rem;
font-weight: 600;
color: inherit;
}
td {
border-top: 1px solid var(--edge);
padding: 0.4rem 0.8rem 0.4rem 0;
vertical-align: top;
}
td time,
.number {
font-variant-numeric: tabular-nums;
white-space: nowrap;
}
.players,
.opening {
overflow-wrap: anywhere;
}
.opening {
max-width: 20rem;
}
.files {
margin-top: 2rem;
}
ul {
list-style: none;
padding: 0;
margin: 0 0 0.6rem;
}
li {
overflow-wrap: anywhere;
}
label.button {
display: inline-flex;
font-weight: 400;
font-size: inherit;
margin: 0;
}
label.button:focus-within {
outline: 2px solid var(--accent);
outline-offset: 2px;
}
@media (max-width: 46rem) {
.opening,
th:last-child {
display: none;
}
tbody tr {
display: grid;
grid-template-columns: 1.8rem minmax(0, 1fr) auto;
border-top: 1px solid var(--edge);
padding: 0.4rem 0;
}
tbody td {
border: 0;
padding: 0.05rem 0;
}
td:nth-child(1) {
grid-row: 1 / 4;
}
td:nth-child(2) {
grid-area: 3 / 2;
color: var(--quiet);
}
td:nth-child(3) {
grid-area: 2 / 2;
}
td:nth-child(4) {
grid-area: 1 / 2 / 2 / 4;
}
td:nth-child(5) {
grid-area: 2 / 3;
text-align: right;
}
td:nth-child(6) {
grid-area: 3 / 3;
text-align: right;
}
.number::after {
content: " plies";
}
.number.one::after {
content: " ply";
}
thead tr {
display: flex;
flex-wrap: wrap;
gap: 0 0.9rem;
}
}
`;function Mh(i,s){let[e,t]=[i.moves,s.moves];if(i.game!==s.game||JSON.stringify(i.options)!==JSON.stringify(s.options))return[0,"These games have different rules."];if(i.start!==s.start)return[0,"These games begin from different positions."];let r=0;for(;r<e.length&&e[r]===t[r];)r++;if(r===e.length&&r===t.length)return[r,"All moves of these games are the same."];let n=`ply ${r+1}`;return r===e.length?[r,`The first game ends where the second goes on: ${t[r]} at ${n}.`]:r===t.length?[r,`The second game ends where the first goes on: ${e[r]} at ${n}.`]:[r,`They part at ${n}: ${e[r]} in the first game, ${t[r]} in the second.`]}function Ao(i,s){let e=[],t=s;for(let[r,n]of i.entries()){let o=n.seat>=0?n.seat:i.slice(r).find(d=>d.seat>=0)?.seat??(t+1)%s,a=s===1&&(i[r-1]?.seat??-1)>=0;(o<t||a)&&e.push(Array.from({length:s},()=>[])),t=o,e.at(-1)?.[o]?.push(n)}return e}function Ah(i){let s=i.at(-1)?.moves??[];return(i.length>1?s.slice(-(i.length-1)):[]).map((t,r)=>({index:r+1,move:t,seat:i[r].to_play??-1}))}var sv=[.5,1,2,4],et=class extends _{constructor(){super(...arguments);this.states=[];this.index=0;this.comments=[];this.values=[];this.arrows=[];this.flipped=!1;this.palette="";this.wholePage=!1;this.speed=1;this.timer=0;this.toggle=()=>{this.isPlaying?this.pause():this.play()};this.onPageKey=e=>{this.wholePage&&!e.composedPath().includes(this)&&this.onKey(e)};this.onKey=e=>{if(!vr(e)||e.key===" "&&e.composedPath()[0]instanceof HTMLButtonElement)return;let{index:t}=this,r={ArrowLeft:t-1,ArrowRight:t+1,Home:0,End:this.last};if(e.key in r)this.stepTo(r[e.key]);else if(e.key===" ")this.toggle();else if(e.key==="f")this.flipped=!this.flipped;else return;e.preventDefault()}}connectedCallback(){super.connectedCallback();let e=this.querySelector(':scope > script[type="application/json"]');e&&!this.game&&Object.assign(this,yr(JSON.parse(e.textContent))),this.addEventListener("keydown",this.onKey),document.addEventListener("keydown",this.onPageKey)}disconnectedCallback(){this.pause(),this.removeEventListener("keydown",this.onKey),document.removeEventListener("keydown",this.onPageKey),super.disconnectedCallback()}willUpdate(){this.index=Math.max(0,Math.min(this.index,this.last))}updated(e){let t=e.has("states")&&e.get("states")?.length!==this.states.length;(e.has("index")||t)&&this.current&&this.list&&gr(this.list,this.current)}get isPlaying(){return this.timer!==0}get last(){return Math.max(0,this.states.length-1)}go(e){let t=Math.max(0,Math.min(e,this.last));t!==this.index&&(this.index=t,this.dispatchEvent(new CustomEvent("step",{detail:{index:t},bubbles:!0,composed:!0})))}play(){this.isPlaying||this.last===0||(this.index===this.last&&this.go(0),this.timer=window.setInterval(()=>{this.go(this.index+1),this.index===this.last&&this.pause()},1e3/this.speed))}pause(){window.clearInterval(this.timer),this.timer=0}render(){let{game:e,index:t}=this,r=this.states[t];if(!e||!r)return g;let n=this.comments.filter(([o])=>o===t);return c`<div class="all">
<div>
<boardgym-board
.game=${e}
.state=${r}
.values=${this.values[t]??{}}
.arrows=${this.arrows[t]??[]}
.showLegal=${!1}
?flipped=${this.flipped}
palette=${this.palette}
></boardgym-board>
${this.renderTools()}
${n.map(([,o])=>c`<p class="comments">${o}</p>`)}
</div>
${this.renderMoves(e)}
</div>`}renderTools(){let{index:e,last:t}=this,r=(o,a,d)=>c`<button aria-label=${o} title=${o} ?disabled=${d===e}
@click=${()=>this.stepTo(d)}>${wl(a)}</button>`,n=this.isPlaying?"Pause":"Play";return c`<div class="tools" role="group" aria-label="Replay">
${r("Start","M2 2h2v12H2zM14 2v12L5 8z",0)} ${r("Back","M12 2v12L3 8z",Math.max(0,e-1))}
<button aria-label=${n} title=${n} ?disabled=${t===0} @click=${this.toggle}>
${wl(this.isPlaying?"M3 2h4v12H3zM9 2h4v12H9z":"M3 1l11 7-11 7z")}
</button>
${r("Forward","M4 2l9 6-9 6z",Math.min(t,e+1))} ${r("End","M12 2h2v12h-2zM2 2l9 6-9 6z",t)}
<input type="range" min="0" max=${t} .value=${String(e)} aria-label="Ply" aria-valuetext="${e} of ${t}"
@input=${o=>this.stepTo(Number(o.target.value))} />
<span class="count">${e} / ${t}</span>
<select aria-label="Speed" @change=${this.onSpeed}>
${sv.map(o=>c`<option value=${o} ?selected=${o===this.speed}>${o}×</option>`)}
</select>
<button aria-label="Turn the board" title="Turn the board" aria-pressed=${this.flipped} @click=${()=>this.flipped=!this.flipped}>
${wl("M4 1l4 4H5v6H3V5H0zM12 15l-4-4h3V5h2v6h3z")}
</button>
</div>`}renderMoves(e){let t=Ao(Ah(this.states),e.seats.length);if(t.length===0)return g;let r=({index:n,move:o,seat:a})=>c`<button
aria-current=${n===this.index?"step":"false"}
class=${a<0?"roll":""}
title=${e.seats[a]??"chance"}
@click=${()=>this.stepTo(n)}
>${o}</button>`;return c`<ol aria-label="Moves">${t.map(n=>c`<li><div>${n.flat().map(r)}</div></li>`)}</ol>`}stepTo(e){this.pause(),this.go(e)}onSpeed(e){this.speed=Number(e.target.value),this.isPlaying&&(this.pause(),this.play())}};et.styles=P`
:host { display: block; }
.all { display: grid; gap: 0.8em 1.4em; grid-template-columns: minmax(0, 1fr) minmax(13em, 19em); align-items: start; }
.tools { display: flex; flex-wrap: wrap; gap: 0.4em; align-items: center; padding-top: 0.5em; }
.tools input { flex: 1 1 9em; min-width: 6em; accent-color: var(--boardgym-hint, #7a3ff2); }
.count { font-variant-numeric: tabular-nums; min-width: 4.5em; text-align: right; color: light-dark(#5b6169, #a3aab4); }
button, select { font: inherit; color: inherit; border: 1px solid light-dark(#c3c7ce, #4a505a); border-radius: 6px;
background: light-dark(#fff, #22252b); min-width: 2.6em; min-height: 2.4em; cursor: pointer; padding: 0.2em 0.5em; }
button:disabled { opacity: 0.4; cursor: default; }
button svg { width: 1em; height: 1em; display: block; margin: auto; fill: currentColor; }
:focus-visible { outline: 2px solid var(--boardgym-hint, #7a3ff2); outline-offset: 1px; }
ol { margin: 0; padding: 0.3em 0.3em 0.3em 3em; max-height: min(70vh, 34em); overflow: auto; position: relative;
border-radius: 8px; background: light-dark(#f3f4f6, #22252b); }
li::marker { color: light-dark(#5b6169, #a3aab4); font-variant-numeric: tabular-nums; }
li div { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.5em, 1fr)); gap: 0.1em; }
li button { border: 0; background: none; min-height: 2em; text-align: left; border-radius: 4px; }
li button.roll { color: light-dark(#5b6169, #a3aab4); }
li button:hover { background: light-dark(#e3e5ea, #33373f); }
li button[aria-current="step"] { background: var(--boardgym-hint, #7a3ff2); color: #fff; font-weight: 600; }
.comments { margin: 0.6em 0 0; padding: 0.5em 0.8em; border-left: 3px solid var(--boardgym-hint, #7a3ff2); overflow-wrap: anywhere; }
@media (max-width: 640px) {
.all { grid-template-columns: minmax(0, 1fr); }
ol { max-height: 12em; }
.tools input { flex-basis: 100%; order: -1; }
}
`,u([k({attribute:!1})],et.prototype,"game",2),u([k({attribute:!1})],et.prototype,"states",2),u([k({type:Number})],et.prototype,"index",2),u([k({attribute:!1})],et.prototype,"comments",2),u([k({attribute:!1})],et.prototype,"values",2),u([k({attribute:!1})],et.prototype,"arrows",2),u([k({type:Boolean,reflect:!0})],et.prototype,"flipped",2),u([k({reflect:!0})],et.prototype,"palette",2),u([k({type:Boolean,attribute:"whole-page"})],et.prototype,"wholePage",2),u([x()],et.prototype,"speed",2),u([x()],et.prototype,"timer",2),u([Vs('[aria-current="step"]')],et.prototype,"current",2),u([Vs("ol")],et.prototype,"list",2),et=u([L("boardgym-replay")],et);var wl=i=>c`<svg viewBox="0 0 16 16" aria-hidden="true">${Q`<path d=${i} />`}</svg>`;var _s=class extends _{constructor(){super(...arguments);this.ids=[];this.shown=[];this.index=0;this.message="";this.asked=0;this.preferences=new Be(this)}willUpdate(e){e.has("ids")&&e.get("ids")?.join()!==this.ids.join()&&this.load()}async load(){let e=++this.asked;Object.assign(this,{shown:[],index:0,message:""});try{let t=await Promise.all(this.ids.map(hh));if(e!==this.asked)return;this.shown=t.map(r=>({record:r,...yr(r.replay)})),yt(t.map(({players:r})=>r).join(" / "),"Games")}catch(t){e===this.asked&&(this.message=G(t))}}render(){let{shown:e}=this;return c`<p class="quiet"><a href="#/games">All games</a></p>
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
${e.length===0&&!this.message?c`<p class="quiet">Loading…</p>`:g}
${e.length===2?this.renderParting(e[0].record,e[1].record):g}
<div class=${e.length===2?"two":""}>${e.map(t=>this.renderGame(t))}</div>`}renderParting(e,t){let[r,n]=Mh(Lh(e),Lh(t));return c`<h1>Two games</h1>
<p>
<span role="status">${n}</span>
${r>0?c`<button @click=${()=>this.index=r}>Go to where they part</button>`:g}
</p>`}renderGame({record:e,game:t,states:r,comments:n}){let o=this.shown.length===1,a=`${t.title}: ${e.players}`,d=Math.min(this.index,r.length-1),h=[e.result,e.date.slice(0,10),...Object.entries(e.tags).map(([b,v])=>`${b}: ${v}`)];return c`<section aria-label=${a}>
${o?c`<h1>${a}</h1>`:c`<h2>${e.players}</h2>`}
<p class="quiet">${h.join(" · ")}</p>
<div class="row buttons">
<a class="button" href=${fh(e,d)}>Analyse</a>
<a class="button" href=${gh(e,d)}>Play from here</a>
${o?c`<a class="button" href="#/games?with=${e.id}">Compare with another</a>`:g}
${e.play_id?c`<a class="button" href="#/play/${e.play_id}">Its page in Play</a>`:g}
${e.tournament_id?c`<a class="button" href="#/arena/${e.tournament_id}">Its tournament</a>`:g}
</div>
<boardgym-replay
palette=${this.preferences.palette}
.game=${t}
.states=${r}
.comments=${n}
.index=${d}
@step=${b=>this.index=b.detail.index}
></boardgym-replay>
</section>`}};_s.styles=[C,O,P`
:host {
display: block;
}
.two {
display: grid;
grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr));
gap: 1rem 1.5rem;
}
section {
min-width: 0;
}
h1,
h2 {
overflow-wrap: anywhere;
}
.buttons {
margin: 0 0 0.8rem;
}
`],u([k({attribute:!1})],_s.prototype,"ids",2),u([x()],_s.prototype,"shown",2),u([x()],_s.prototype,"index",2),u([x()],_s.prototype,"message",2),_s=u([L("boardgym-recorded-games")],_s);var Lh=i=>({...i,moves:i.replay.states.at(-1)?.moves??[]});var pn=50,iv=300,rv=[["date","Date"],["game","Game"],["players","Players"],["result","Result"],["plies","Plies"]],nv={"":"everywhere",play:"played here",arena:"tournaments",file:"uploaded files"},ov=["source","file","fewest","most","since","until","fen"],av=["offset","sort","down","with"],Lt=class extends _{constructor(){super(...arguments);this.entries=[];this.files=[];this.chosen=[];this.message="";this.trouble="";this.isBusy=!1;this.kept="";this.asked=0;this.timer=0}get query(){return this.route.query}willUpdate(e){if(!e.has("route")||this.route.room!=="games"||(this.leave(),this.message="",this.route.rest.length>0))return;let t=this.query.get("with")??"";t&&t!==this.kept&&(this.chosen=[Number(t)]),this.kept=t,this.load()}leave(){clearTimeout(this.timer),this.asked+=1}disconnectedCallback(){this.leave(),super.disconnectedCallback()}async load(){this.leave();let{asked:e}=this,t=new URLSearchParams(this.query);t.delete("with"),t.set("limit",String(pn));try{let[r,n]=await Promise.all([this.entries.length>0?this.entries:Us(),uh()]);if(e!==this.asked)return;Object.assign(this,{entries:r,files:n});let o=await To(t);if(e!==this.asked)return;Object.assign(this,{found:o,trouble:""}),o.unread>0&&(this.timer=setTimeout(()=>{this.load()},iv))}catch(r){e===this.asked&&Object.assign(this,{trouble:G(r),found:void 0})}}go(e){let t=new URLSearchParams(this.query);for(let[r,n]of Object.entries(e))n?t.set(r,n):t.delete(r);location.hash=`#/games${t.size>0?`?${t}`:""}`}search(e){e.preventDefault();let t=new FormData(this.renderRoot.querySelector("form")??void 0);this.go({offset:"",...Object.fromEntries([...t].map(([r,n])=>[r,String(n).trim()]))})}async upload(e){let t=e.target,r=t.files?.[0];if(t.value="",!!r){Object.assign(this,{isBusy:!0,message:""});try{let{id:n}=await mh(r);location.hash=`#/games?file=${n}`}catch(n){this.message=G(n)}finally{this.isBusy=!1}}}async forget({id:e,name:t}){if(confirm(`Delete ${t} with its games? They cannot be brought back.`)){this.message="";try{await Is(`/records/files/${e}`)}catch(r){this.message=G(r);return}this.query.get("file")===String(e)?this.go({file:"",offset:""}):await this.load()}}choose(e,t){this.chosen=[...this.chosen.filter(r=>r!==e),...t?[e]:[]].slice(-2)}titleOf(e){return this.entries.find(({id:t})=>t===e)?.title??e}render(){if(this.route.rest.length>0)return c`<boardgym-recorded-games .ids=${this.route.rest.slice(0,2)}></boardgym-recorded-games>`;let{found:e}=this,t=this.message||this.trouble;return c`<h1>Games</h1>
${this.renderForm()}
<div role="alert">${t?c`<p class="error">${t}</p>`:g}</div>
${e?this.renderFound(e):t?g:c`<p class="quiet">Loading the games…</p>`}
${this.renderFiles()}`}renderForm(){let e=ov.some(t=>this.query.has(t));return c`<form class="card" @submit=${t=>this.search(t)}>
<div class="fields">
${this.renderSelect("game","Game",[["","all games"],...this.entries.map(({id:t,title:r})=>[t,r])])}
${this.renderText("players","Players")}
${this.renderSelect("result","Result",[["","any"],["0","the first seat won"],["1","the second seat won"],["2","the third seat won"],["draw","drawn"],["open","not over"]])}
${this.renderText("opening","First moves","b2 a1")}
<div class="field"><button class="primary">Search</button></div>
</div>
<details ?open=${e}>
<summary>More</summary>
<div class="fields">
${this.renderSelect("source","From",Object.entries(nv))}
${this.renderSelect("file","File",[["","all files"],...this.files.map(({id:t,name:r})=>[String(t),r])])}
${this.renderText("fewest","Fewest plies","","number")} ${this.renderText("most","Most plies","","number")}
${this.renderText("since","Since","","date")} ${this.renderText("until","Until","","date")}
${this.renderText("fen","Position that occurs","a position string")}
</div>
</details>
</form>`}renderSelect(e,t,r){let n=this.query.get(e),o=e==="game"&&n?xs(this.entries,n)?.id:n??"";return c`<div class="field">
<label for=${e}>${t}</label>
<select id=${e} name=${e} @change=${a=>this.search(a)}>
${r.map(([a,d])=>c`<option value=${a} .selected=${a===o}>${d}</option>`)}
</select>
</div>`}renderText(e,t,r="",n="text"){return c`<div class="field">
<label for=${e}>${t}</label>
<input id=${e} name=${e} type=${n} min="0" maxlength="1000" placeholder=${r} autocomplete="off"
spellcheck="false" .value=${this.query.get(e)??""} />
</div>`}renderFound({games:e,total:t,unread:r}){let n=new URLSearchParams(this.query);for(let h of av)n.delete(h);let o=Number(this.query.get("offset")??0),[a,d]=this.chosen;return c`<div class="row tools">
<span role="status">${Rh(t)}${r>0?`; ${oe(r)} more are being read`:""}</span>
${n.has("tournament")?c`<button @click=${()=>this.go({tournament:"",line:""})}>Not of this tournament alone</button>`:g}
${t>0?c`<a class="button" download href="/api/records/download?${n}&format=game">Download as a game file</a>
<a class="button" download href="/api/records/download?${n}&format=json">as JSON lines</a>`:g}
${d===void 0?g:c`<a class="button primary" href="#/games/${a}/${d}">Compare the two games</a>`}
${this.chosen.length===1?c`<span class="quiet">Choose a second game to compare.</span>`:g}
</div>
${t===0?c`<p class="card">No game is found. Play one, upload a file, or look for less.</p>`:this.renderTable(e)}
${t>pn?c`<div class="row tools" role="group" aria-label="Pages">
<button ?disabled=${o===0} @click=${()=>this.go({offset:String(Math.max(0,o-pn)||"")})}>Earlier in the list</button>
<span class="quiet">${o+1} – ${o+e.length}</span>
<button ?disabled=${o+pn>=t} @click=${()=>this.go({offset:String(o+pn)})}>Later in the list</button>
</div>`:g}`}renderTable(e){let t=this.query.get("sort")??"date",r=this.query.get("down")!=="false";return c`<table>
<thead>
<tr>
<th scope="col"><span class="visually-hidden">Compare</span></th>
${rv.map(([n,o])=>c`<th scope="col" aria-sort=${n===t?r?"descending":"ascending":"none"}>
<button class="plain" @click=${()=>this.go({sort:n,down:String(n===t?!r:!1),offset:""})}>
${o}${n===t?r?" ↓":" ↑":""}
</button>
</th>`)}
<th scope="col">First moves</th>
</tr>
</thead>
<tbody>
${e.map(n=>this.renderRow(n))}
</tbody>
</table>`}renderRow(e){let t=this.titleOf(e.game);return c`<tr>
<td>
<input type="checkbox" aria-label="Compare ${t}, ${e.players}" .checked=${this.chosen.includes(e.id)}
@change=${r=>this.choose(e.id,r.target.checked)} />
</td>
<td><time datetime=${e.date}>${e.date.slice(0,16).replace("T"," ")}</time></td>
<td>${t}</td>
<td class="players"><a href="#/games/${e.id}">${e.players}</a></td>
<td>${e.result}</td>
<td class="number ${e.plies===1?"one":""}">${e.plies}</td>
<td class="opening quiet">${e.opening}</td>
</tr>`}renderFiles(){return c`<section class="files" aria-labelledby="files">
<h2 id="files">Files</h2>
${this.files.length>0?c`<ul>
${this.files.map(e=>c`<li>
<a href="#/games?file=${e.id}">${e.name}</a>
<span class="quiet">${Rh(e.games)}</span>
<button class="plain" aria-label="Delete ${e.name}" title="Delete" @click=${()=>this.forget(e)}>✕</button>
</li>`)}
</ul>`:g}
<label class="button">
${this.isBusy?"Reading the file…":"Upload a file of games"}
<input class="visually-hidden" type="file" accept=".game,.json,.jsonl,.othello,.connect4,.mat,.wtb" ?disabled=${this.isBusy}
@change=${e=>this.upload(e)} />
</label>
<p class="help">Game files, JSON lines, and transcripts of Othello, Connect Four and backgammon. All of a file is kept, or nothing.</p>
</section>`}};Lt.styles=[C,O,_h],u([k({attribute:!1})],Lt.prototype,"route",2),u([x()],Lt.prototype,"entries",2),u([x()],Lt.prototype,"files",2),u([x()],Lt.prototype,"found",2),u([x()],Lt.prototype,"chosen",2),u([x()],Lt.prototype,"message",2),u([x()],Lt.prototype,"trouble",2),u([x()],Lt.prototype,"isBusy",2),Lt=u([L("boardgym-games-room")],Lt);var Rh=i=>Xt(i,"games");var Qs="Othello-v0",hn="q-network",Lo={positional:"Positional player",mobility:"Mobility player"},Ch={opponents:Object.keys(Lo),openings:"openings-244",games:488},kr=[{name:"Single-NN",help:"One network for each colour, with an output for each square.",given:{form:"single"}},{name:"Multi-NN",help:"64 networks for each colour, one for each square.",given:{form:"multi",hidden:36}}],Oh="human",xl="net:",Ro=Oh,kl=({id:i})=>xl+i;async function Dh(i){return i===Oh?{kind:"human",spec:""}:{kind:"policy",spec:i.startsWith(xl)?await Yn(i.slice(xl.length)):i}}async function Sr(){let{bots:i}=await me("/bots");return i.filter(({game:s,options:e})=>s===Qs&&e.size===8)}function Nh(i,s){return ft(i)?"Human":Kn([i],s)[0]||(Lo[i.spec]??i.spec)}var Co=P`
boardgym-board {
display: block;
--boardgym-hint: light-dark(#1a4fd6, #2f6bff);
}
`;var Sl=(i,s)=>!i.is_over&&!s.isPast&&ft(i.seats[i.state.to_play??-1]);function Oo(i,s,{palette:e,isFlipped:t,typing:r=!0,names:n=[]}){let o=Sl(i,s);return c`
<boardgym-board
palette=${e}
.game=${i.game}
.state=${s.shown}
.interactive=${o}
.showLegal=${o}
.flipped=${t}
.typing=${r}
.arrows=${s.hint&&!s.isPast?[s.hint.action]:[]}
@play=${a=>s.move(a.detail.action)}
@refused=${a=>lv(s,a.detail)}
@pick=${()=>cv(i,s,n)}
></boardgym-board>
${s.isPast?c`<div class="past" role="status">
<span>After ${s.shownIndex} of ${i.state.moves.length} moves.</span>
<button @click=${()=>s.show(i.state.moves.length)}>Back to the game</button>
</div>`:g}
`}function lv(i,{places:s,text:e}){s.length>0?i.askWhy(s):i.say(`“${e??""}” is no legal move here.`)}function cv(i,s,e){let t=i.state.to_play??-1;s.isPast?s.say("This is an earlier position. Go back to the game to play on."):i.is_over?s.say("The game is over."):s.say(`It is the turn of ${e[t]||Wn(i,t)}.`)}function Do(i,s){let{hint:e,message:t,isPast:r}=s;return c`
<div role="alert">
${t?c`<p class="error">${t}</p>`:g}
${i.message?dv(i,s):g}
</div>
<div role="status">${e&&!r?c`<p class="hint">Hint: <b>${e.move}</b></p>`:g}</div>
`}function dv(i,s){let e=i.state.to_play??-1,t=!i.is_over&&i.seats[e]?.kind==="policy";return c`<div class="error">
<p>${i.message}</p>
${t?c`<form class="row" @submit=${r=>pv(r,s,e)}>
<button type="button" ?disabled=${s.isBusy} @click=${s.askAgain}>Ask it again</button>
<button type="button" ?disabled=${s.isBusy} @click=${()=>s.replace(e,{kind:"human",spec:""})}>
Take the seat yourself
</button>
<input class="mono" name="spec" value="greedy" maxlength="200" required aria-label="Another policy" />
<button ?disabled=${s.isBusy}>Let this play</button>
</form>`:g}
</div>`}function pv(i,s,e){i.preventDefault();let t=String(new FormData(i.target).get("spec")??"").trim();s.replace(e,{kind:"policy",spec:t})}var No=P`
:host {
display: block;
}
.game {
display: grid;
grid-template-columns: minmax(0, 1fr) 21rem;
gap: 1.25rem;
align-items: start;
}
.board {
min-width: 0;
width: min(100%, 46rem);
justify-self: center;
}
boardgym-board {
display: block;
}
.past {
display: flex;
flex-wrap: wrap;
align-items: center;
justify-content: space-between;
gap: 0.5rem;
background: var(--tint);
border-radius: var(--radius);
padding: 0.3rem 0.3rem 0.3rem 0.75rem;
margin-top: 0.6rem;
}
.hint {
background: var(--tint);
border-radius: var(--radius);
padding: 0.5rem 0.75rem;
margin-top: 0.6rem;
}
.board .error {
margin-top: 0.6rem;
}
.side {
display: grid;
gap: 0.75rem;
min-width: 0;
}
boardgym-play-seats.card {
padding: 0.4rem;
}
boardgym-play-moves.card {
padding: 0.5rem;
height: clamp(12rem, calc(100vh - 26rem), 26rem);
}
@media (max-width: 56rem) {
.game {
grid-template-columns: minmax(0, 1fr);
gap: 0.75rem;
}
boardgym-play-moves.card {
height: 13rem;
}
}
`;var hv="M3 4h2.5v12H3zM17 4v12L7 10z",uv="M15 4v12L5 10z",mv="M5 4v12l10-6z",fv="M14.5 4H17v12h-2.5zM3 4v12l10-6z",Xs=class extends _{constructor(){super(...arguments);this.steps=[];this.seats=[];this.shown=0}go(e){this.dispatchEvent(new CustomEvent("show",{detail:e}))}updated(e){let t=e.has("steps")&&e.get("steps")?.length!==this.steps.length;if(!e.has("shown")&&!t)return;let r=this.renderRoot.querySelector(".list"),n=this.renderRoot.querySelector('[aria-current="true"]');r&&(n?gr(r,n):r.scrollTop=0)}render(){let e=this.steps.length;return c`
<div class="list" tabindex="0" role="region" aria-label="Moves">
${this.steps.length===0?c`<p class="quiet">No moves yet.</p>`:this.renderTable()}
</div>
<div class="steps" role="group" aria-label="Browse the moves">
${this.renderStep(hv,"First position",0,this.shown>0)}
${this.renderStep(uv,"One move back",this.shown-1,this.shown>0)}
${this.renderStep(mv,"One move on",this.shown+1,this.shown<e)}
${this.renderStep(fv,"Back to the game",e,this.shown<e)}
</div>
`}renderStep(e,t,r,n){return c`<button aria-label=${t} title=${t} ?disabled=${!n} @click=${()=>this.go(r)}>
<svg viewBox="0 0 20 20" width="18" height="18" fill="currentColor" aria-hidden="true"><path d=${e} /></svg>
</button>`}renderTable(){return c`<table>
<thead>
<tr>
<th class="number"><span class="visually-hidden">Round</span></th>
${this.seats.map(e=>c`<th scope="col">${e}</th>`)}
</tr>
</thead>
<tbody>
${Ao(this.steps,this.seats.length).map((e,t)=>c`<tr>
<th class="number" scope="row">${t+1}</th>
${e.map(r=>c`<td>${r.map(n=>this.renderMove(n))}</td>`)}
</tr>`)}
</tbody>
</table>`}renderMove({index:e,seat:t,move:r}){return c`<button
class=${t<0?"roll":g}
aria-current=${e===this.shown?"true":g}
@click=${()=>this.go(e)}
>
${r}
</button>`}};Xs.styles=[C,O,P`
:host {
display: flex;
flex-direction: column;
min-height: 0;
}
.list {
overflow-y: auto;
flex: 1;
min-height: 4rem;
scrollbar-width: thin;
}
table {
width: 100%;
border-collapse: collapse;
table-layout: fixed;
}
th {
text-align: left;
font-size: 0.8rem;
color: var(--quiet);
font-weight: 600;
padding: 0.2rem 0.4rem;
overflow: hidden;
text-overflow: ellipsis;
}
.number {
width: 2.6rem;
color: var(--quiet);
font-weight: 400;
font-variant-numeric: tabular-nums;
}
td {
padding: 0;
vertical-align: top;
}
td button {
min-height: 1.8rem;
padding: 0 0.4rem;
border-color: transparent;
background: none;
max-width: 100%;
white-space: normal;
text-align: left;
overflow-wrap: anywhere;
}
td button[aria-current="true"] {
background: var(--accent);
color: var(--on-accent);
font-weight: 600;
}
.roll {
color: var(--quiet);
}
.steps {
display: grid;
grid-template-columns: repeat(4, 1fr);
gap: 0.4rem;
padding-top: 0.5rem;
}
.steps button {
padding: 0;
}
`],u([k({attribute:!1})],Xs.prototype,"steps",2),u([k({attribute:!1})],Xs.prototype,"seats",2),u([k({attribute:!1})],Xs.prototype,"shown",2),Xs=u([L("boardgym-play-moves")],Xs);var gv=200,jh=20,Ms=class extends _{constructor(){super(...arguments);this.palette="";this.names=[];this.now=Date.now();this.timer=0}disconnectedCallback(){clearInterval(this.timer),this.timer=0,super.disconnectedCallback()}willUpdate(e){e.has("play")&&(this.now=Date.now(),clearInterval(this.timer),this.timer=(this.play.clocks?.running??null)!==null?setInterval(()=>this.now=Date.now(),gv):0)}isTurn(e){return!this.play.is_over&&this.play.state.to_play===e}secondsOf(e){let{clocks:t}=this.play,r=t?.left[e];if(!t||r===void 0)return null;let n=t.running===e?Math.max(0,this.now-t.at)/1e3:0;return Math.max(0,r-n)}render(){return c`${this.play.seats.map((e,t)=>this.renderSeat(t))}`}renderSeat(e){let{play:t}=this,r=this.secondsOf(e),n=t.state.outcome,o=`piece-${e}`,a=o in t.game.palette?new qs(t.game,this.palette).paint(o):void 0;return c`<div class="seat ${this.isTurn(e)?"turn":""}">
${a?c`<svg class="colour" viewBox="0 0 20 20" aria-hidden="true">${Q`<circle cx="10" cy="10" r="9" fill=${a} />`}</svg>`:g}
<span class="who"><span class="name">${this.names[e]||Wn(t,e)}</span> <span class="quiet">${t.game.seats[e]}</span></span>
${t.thinking===e?c`<span class="thinking">thinking</span>`:g}
${n?c`<span class="result">${bv(n.returns[e]??0)}</span>`:g}
${r===null?g:c`<span class="clock ${r<jh?"hurry":""}" role="timer">${vv(r)}</span>`}
</div>`}};Ms.styles=[C,O,P`
:host {
display: grid;
gap: 0.35rem;
}
.seat {
display: flex;
align-items: center;
gap: 0.6rem;
padding: 0.45rem 0.7rem;
border: 1px solid transparent;
border-radius: var(--radius);
min-width: 0;
}
.seat.turn {
background: var(--raised);
border-color: var(--accent);
}
.colour {
width: 1.2rem;
height: 1.2rem;
stroke: var(--field-edge);
flex: none;
}
.who {
flex: 1;
min-width: 0;
overflow-wrap: anywhere;
line-height: 1.25;
}
.name {
font-weight: 600;
}
.clock {
font-variant-numeric: tabular-nums;
font-size: 1.25rem;
font-weight: 600;
padding: 0 0.4rem;
}
.hurry {
color: var(--bad);
}
.thinking {
color: var(--quiet);
font-size: 0.85rem;
white-space: nowrap;
}
.result {
font-weight: 700;
font-variant-numeric: tabular-nums;
}
@media (prefers-reduced-motion: no-preference) {
.thinking::after {
content: "…";
animation: think 1.2s steps(2, jump-none) infinite;
}
@keyframes think {
from {
opacity: 0.2;
}
to {
opacity: 1;
}
}
}
`],u([k({attribute:!1})],Ms.prototype,"play",2),u([k()],Ms.prototype,"palette",2),u([k({attribute:!1})],Ms.prototype,"names",2),u([x()],Ms.prototype,"now",2),Ms=u([L("boardgym-play-seats")],Ms);function vv(i){if(i<jh)return i.toFixed(1);let s=Math.ceil(i);return`${Math.floor(s/60)}:${String(s%60).padStart(2,"0")}`}var bv=i=>i>0?`+${i}`:i<0?`−${-i}`:"0";var Er=class{constructor(s){this.host=s;this.message="";this.isGone=!1;this.isBusy=!1;this.index=null;this.past=new Map;this.id="";this.asked=0;this.looked=0;this.wondered=0;this.browse=s=>{let e=vr(s)?{ArrowLeft:-1,ArrowRight:1}[s.key]:void 0;e!==void 0&&(s.preventDefault(),this.show(this.shownIndex+e))};this.move=s=>this.ask("moves",{ply:this.play?.state.ply,action:s});this.undo=()=>this.ask("undo",this.seen);this.resign=s=>this.ask("resign",{...this.seen,seat:s});this.askAgain=()=>this.ask("ask",this.seen);this.replace=(s,e)=>this.ask(`seats/${s}`,e);this.pause=()=>this.ask("pause");s.addController(this)}hostConnected(){addEventListener("keydown",this.browse),this.id&&this.listen()}hostDisconnected(){removeEventListener("keydown",this.browse),this.stop?.(),this.stop=void 0}follow(s){s!==this.id&&(Object.assign(this,{id:s,play:void 0,message:"",hint:void 0,isGone:!1,isBusy:!1,index:null}),this.waiting=void 0,this.asked+=1,this.past.clear(),this.listen(),this.host.requestUpdate())}listen(){this.stop?.(),this.stop=Hs(`/plays/${this.id}/events`,s=>this.take(s),s=>{s&&this.checkIsThere()})}async checkIsThere(){let{id:s}=this;try{this.take(await me(`/plays/${s}`))}catch(e){if(s!==this.id||!(e instanceof rt)||e.status===0)return;if(e.status!==404)return this.fail(e);this.stop?.(),this.isGone=!0,this.message=e.message,this.host.requestUpdate()}}take(s){if(s.id!==this.id||this.play&&s.version<this.play.version)return;let e=this.play;this.play=s,e&&e.state.fen!==s.state.fen&&(this.hint=void 0,this.message="");let t=Fh(e?.state.moves??[],s.state.moves);for(let r of this.past.keys())r>t&&this.past.delete(r);this.index!==null&&this.index>=t&&(this.index=null),this.host.requestUpdate()}get shownIndex(){return this.index??this.play?.state.moves.length??0}get isPast(){return this.index!==null}get shown(){return this.index===null?this.play?.state:this.past.get(this.index)??this.waiting??this.play?.state}async show(s){let e=this.play;if(!e)return;let{id:t,index:r}=this,{moves:n}=e.state,o=++this.looked,a=Math.max(0,Math.min(s,n.length));if(this.waiting=this.shown,this.index=a===n.length?null:a,this.message="",this.host.requestUpdate(),!(this.index===null||this.past.has(a)))try{let d=await me(`/plays/${t}/states/${a}`);if(t!==this.id||Fh(n.slice(0,a),this.play?.state.moves??[])<a)return;this.past.set(a,d),this.host.requestUpdate()}catch(d){if(t!==this.id||o!==this.looked)return;this.index=r!==null&&this.past.has(r)?r:null,this.fail(d)}}get seen(){return{version:this.play?.version}}async askHint(){let{id:s}=this;await this.during(async()=>{let e=await Oe(`/plays/${s}/hint`);s===this.id&&e.version===this.play?.version&&(this.hint=e)})}async askWhy(s){let{id:e}=this,t=this.play?.version,r=++this.wondered,n=await me(`/plays/${e}/why?places=${s.join(",")}`).then(({why:o})=>o,G);e===this.id&&r===this.wondered&&t===this.play?.version&&this.say(n)}say(s){this.message=s,this.host.requestUpdate()}ask(s,e={}){return this.during(async()=>this.take(await Oe(`/plays/${this.id}/${s}`,e)))}async during(s){let{id:e}=this,t=++this.asked;this.isBusy=!0,this.message="",this.host.requestUpdate();try{await s()}catch(r){e===this.id&&this.fail(r)}finally{t===this.asked&&(this.isBusy=!1),this.host.requestUpdate()}}fail(s){this.say(G(s))}};function Fh(i,s){let e=i.findIndex((t,r)=>t!==s[r]);return e<0?i.length:e}var Li=class extends _{constructor(){super(...arguments);this.playId="";this.bots=[];this.session=new Er(this);this.preferences=new Be(this)}connectedCallback(){super.connectedCallback(),Sr().then(e=>this.bots=e,()=>{})}willUpdate(e){e.has("playId")&&this.session.follow(this.playId)}updated(){let{play:e}=this.session;e&&yt(`Othello: ${e.state.status}`)}async endGame(e){!e.is_over&&!e.paused&&!e.seats.some(ft)&&await this.session.pause(),location.hash="#/othello/play"}render(){let{session:e}=this,{play:t,isGone:r,message:n}=e;if(r)return c`<h1 tabindex="-1">This game is not here</h1>
<p class="error" role="alert">${n}</p>
<p><a class="button primary" href="#/othello/play">Start another game</a></p>`;if(!t)return c`<p class="quiet">Loading the game…</p>`;let o=t.seats.map(h=>Nh(h,this.bots)),{palette:a}=this.preferences,d=zn(t).map(h=>({...h,move:h.move.toUpperCase()}));return c`
<h1 class="visually-hidden">Othello</h1>
<div class="game">
<div class="board">
${Oo(t,e,{palette:a,names:o,isFlipped:!1,typing:!1})}
${this.renderScore(t)} ${Do(t,e)}
</div>
<div class="side">
<boardgym-play-seats
class="card"
.play=${t}
.names=${o}
palette=${a}
></boardgym-play-seats>
${this.renderButtons(t)}
<h2>Game History</h2>
<boardgym-play-moves
class="card"
.steps=${d}
.seats=${t.game.seats}
.shown=${e.shownIndex}
@show=${h=>e.show(h.detail)}
></boardgym-play-moves>
</div>
</div>
`}renderScore(e){let t=this.session.shown??e.state,r=o=>t.pieces.filter(a=>a?.colour===o).length,n=e.game.seats.map((o,a)=>`${o} ${r(a)}`);return c`<div class="score">
<span>${n.join(" · ")}</span><span>${t.status}</span>
</div>`}renderButtons(e){let{session:t}=this,r=e.state.actions.length===1?e.state.actions[0]:void 0,n=r?.clicks.length===0&&Sl(e,t)?r:void 0;return c`<div class="buttons">
<button ?disabled=${!n||t.isBusy} @click=${()=>n&&t.move(n.action)}>PASS</button>
<button @click=${()=>this.endGame(e)}>END GAME</button>
</div>`}};Li.styles=[C,O,No,Co,P`
.board {
width: min(100%, 80vh);
}
boardgym-board::part(line),
boardgym-board::part(notes),
boardgym-board::part(moves) {
display: none;
}
.score {
display: flex;
justify-content: space-between;
flex-wrap: wrap;
gap: 0.25rem 1rem;
padding-top: 0.6rem;
font-weight: 600;
font-variant-numeric: tabular-nums;
}
.buttons {
display: grid;
grid-template-columns: 1fr 1fr;
gap: 0.5rem;
}
`],u([k()],Li.prototype,"playId",2),u([x()],Li.prototype,"bots",2),Li=u([L("boardgym-othello-game")],Li);var yv=["black, begins","white"],ms=class extends _{constructor(){super(...arguments);this.query=new URLSearchParams;this.players=[void 0,void 0];this.message="";this.isBusy=!1}connectedCallback(){super.connectedCallback(),this.load()}async load(){try{this.nets=(await Sr()).filter(({has_agent:e})=>e)}catch(e){this.message=G(e)}}get chosen(){let e=this.nets?.find(({id:n})=>n===this.query.get("white")),[t,r]=this.players;return[t??Ro,r??(e?kl(e):Ro)]}async start(e){if(e.preventDefault(),!this.isBusy){this.isBusy=!0,this.message="";try{let t=await rr({game:Qs,options:{},seats:await Promise.all(this.chosen.map(Dh))});location.hash=`#/othello/play/${t.id}`}catch(t){this.message=G(t)}finally{this.isBusy=!1}}}render(){return c`<form class="card" @submit=${e=>this.start(e)}>
<h1 tabindex="-1">Play</h1>
${this.chosen.map((e,t)=>this.renderPlayer(e,t))}
${this.nets?.length===0?c`<p class="help">Nets that you train and save can play too.</p>`:g}
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
<div class="row">
<button class="primary" ?disabled=${this.isBusy||!(this.nets||this.message)}>START</button>
<a class="button" href="#/othello">BACK</a>
</div>
</form>`}renderPlayer(e,t){let r=o=>{let{value:a}=o.target;this.players=this.players.map((d,h)=>h===t?a:d)},n=(o,a)=>c`<option value=${o} .selected=${o===e}>${a}</option>`;return c`<div class="field">
<label for="player-${t}">Player ${t+1} (${yv[t]})</label>
<select id="player-${t}" @change=${r}>
${n(Ro,"Human")} ${Object.entries(Lo).map(([o,a])=>n(o,a))}
${this.nets?.length?c`<optgroup label="Saved nets">${this.nets.map(o=>n(kl(o),o.name))}</optgroup>`:g}
</select>
</div>`}};ms.styles=[C,O,P`
:host {
display: block;
max-width: 32rem;
margin: 0 auto;
}
`],u([k({attribute:!1})],ms.prototype,"query",2),u([x()],ms.prototype,"players",2),u([x()],ms.prototype,"nets",2),u([x()],ms.prototype,"message",2),u([x()],ms.prototype,"isBusy",2),ms=u([L("boardgym-othello-play")],ms);var $v=new Intl.NumberFormat("en",{minimumFractionDigits:1,maximumFractionDigits:1}),Pr=class extends _{render(){let{opponents:s,seats:e,state:t,message:r,parts:n,results:o,games:a,openings:d}=this.tests;return c`<h2>Tests</h2>
<p class="quiet" role="status">
${o.length} of ${n} parts tested, each by ${oe(a/2)} games in every table
(${d})${t==="running"?"…":""}
</p>
<div role="alert">
${t==="failed"?c`<div class="error">
<p>The tests failed: ${r}</p>
<button @click=${()=>this.dispatchEvent(new CustomEvent("again"))}>Go on with the tests</button>
</div>`:g}
</div>
<div class="tables">
${s.flatMap(h=>e.map((b,v)=>this.renderTable(h,b,v)))}
</div>`}renderTable(s,e,t){let r=Array.from({length:this.tests.parts},(n,o)=>o+1);return c`<table>
<caption>
As ${e} against ${s}, in %
</caption>
<thead>
<tr>
${["Part","After","Won","Lost","Drawn","Not lost"].map(n=>c`<th scope="col">${n}</th>`)}
</tr>
</thead>
<tbody>
${r.map(n=>this.renderRow(n,s,t))}
</tbody>
</table>`}renderRow(s,e,t){let r=this.tests.results.find(v=>v.part===s),n=r?.rows.find(v=>v.opponent===e&&v.seat===t),{won:o,lost:a,drawn:d}=n??{won:0,lost:0,drawn:0},h=o+a+d,b=[o,a,d,o+d].map(v=>h>0?$v.format(100*v/h):"");return c`<tr>
<th scope="row">${s}</th>
<td>${r?oe(r.done):"–"}</td>
${b.map(v=>c`<td>${v}</td>`)}
</tr>`}};Pr.styles=[C,O,P`
:host {
display: block;
}
.tables {
display: grid;
grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr));
gap: 1rem;
}
table {
border-collapse: collapse;
width: 100%;
font-variant-numeric: tabular-nums;
font-size: 0.9rem;
}
caption {
text-align: left;
font-weight: 600;
padding-bottom: 0.2rem;
}
th,
td {
text-align: right;
padding: 0.2rem 0 0.2rem 0.4rem;
border-bottom: 1px solid var(--edge);
font-weight: 400;
white-space: nowrap;
}
thead th {
color: var(--quiet);
}
td:last-child {
font-weight: 600;
}
`],u([k({attribute:!1})],Pr.prototype,"tests",2),Pr=u([L("boardgym-part-tests")],Pr);var jo=P`
${xo}
fieldset {
border: 0;
padding: 0;
margin: 0;
min-width: 0;
}
.card {
margin-bottom: 1rem;
}
.card > h2,
summary h2 {
display: inline-block;
margin: 0 0 0.6rem;
}
details:not([open]) summary h2 {
margin: 0;
}
`;function Fo(i,s){return[...new Set(i.map(({group:t})=>t))].map(t=>wv(t,i.filter(r=>r.group===t),s))}function wv(i,s,{given:e,errors:t,open:r,change:n}){let o=r.includes(i)||s.some(({name:a})=>a in t||a in e);return c`<div class="card">
<details ?open=${o}>
<summary><h2>${i}</h2></summary>
<fieldset class="grid" aria-label=${i}>
${s.map(a=>So(a,xv(a,e),t[a.name]??"",d=>n(a,d)))}
</fieldset>
</details>
</div>`}function Bo(i,s,e){let{[s.name]:t,...r}=i;return JSON.stringify(e)===JSON.stringify(s.default)&&!s.redraws?r:{...i,[s.name]:e}}var Bh=(i,s)=>Object.fromEntries(Object.entries(i).filter(([e])=>s.some(t=>t.name===e))),xv=(i,s)=>i.name in s?s[i.name]??null:i.default;var Vh=["Length","Rates"],kv=["game","option","form"],Rt=class extends _{constructor(){super(...arguments);this.botId="";this.given={...kr[0]?.given};this.errors={};this.others=[];this.message="";this.isBusy=!1;this.netName="";this.followed=new Js(this,"/bots",({bot:e})=>this.take(e))}connectedCallback(){super.connectedCallback(),this.load()}willUpdate(e){e.has("botId")&&(Object.assign(this,{message:"",errors:{},saved:void 0}),this.botId||(this.given={...kr[0]?.given}),this.followed.follow(this.botId))}get page(){return this.followed.now}take({name:e,given:{game:t,...r}}){this.given=r,this.netName||=e}async load(){try{this.form=await _o(hn,new URLSearchParams({game:Qs})),this.botId||(this.others=(await Sr()).filter(e=>e.learner===hn&&Ps(e)))}catch(e){this.message=G(e)}}change(e,t){this.given=Bo(this.given,e,t);let{[e.name]:r,...n}=this.errors;this.errors=n}async train(){this.errors={};let e=kr.find(({given:a})=>a.form===this.given.form)?.name??hn,t=this.given.games??this.form?.fields.find(({name:a})=>a==="games")?.default,r=`${e}, ${oe(Number(t))} games`,n=await Mo({name:r,description:"",form:hn,given:{game:Qs,...this.given},tests:Ch}),o=this.page?.bot;this.netName="",location.replace(`#/othello/train/${n.id}`),o&&Ps(o)&&await this.stop(o)}async stop({id:e}){await Zs(e,"stop").catch(t=>{if(!(t instanceof rt&&t.status===409))throw t})}async save(e){this.saved=void 0,this.saved=await Eh(e.id,this.netName.trim()||e.name)}async during(e){if(!this.isBusy){this.isBusy=!0,this.message="";try{await e()}catch(t){this.errors=$i(t).errors,this.message=G(t)}finally{this.isBusy=!1}}}render(){return c`<h1 tabindex="-1">Train</h1>
<section aria-label="Training">${this.renderTraining()}</section>
<section aria-label="Parameters">${this.renderParameters()}</section>`}renderParameters(){let{given:e,errors:t,form:r}=this;if(!r)return this.message?g:c`<p class="quiet">Loading the parameters…</p>`;let a=[...new Set([...Vh,...r.fields.map(({group:d})=>d)])].flatMap(d=>r.fields.filter(({group:h})=>h===d)).filter(({name:d})=>!kv.includes(d));return Fo(a,{given:e,errors:t,open:Vh,change:(d,h)=>this.change(d,h)})}renderNetworks(){let e=kr.find(({given:n})=>n.form===this.given.form),{hidden:t,...r}=this.given;return c`<div class="networks" role="group" aria-label="Networks">
${kr.map(n=>c`<button aria-pressed=${n===e} @click=${()=>this.given={...r,...n.given}}>
${n.name}
</button>`)}
</div>
<p class="help">${e?.help??""}</p>`}renderTraining(){let{page:e}=this,t=this.message||this.followed.message,r=e?.bot;return c`<div class="card">
${this.renderNetworks()}
<div class="row">
<button class="primary train" ?disabled=${this.isBusy||!this.form} @click=${()=>this.during(()=>this.train())}>
TRAIN THE NEURAL NETWORKS
</button>
<button
?disabled=${!r||!Ps(r)||this.isBusy}
@click=${()=>r&&this.during(()=>this.stop(r))}
>
STOP
</button>
${r&&Mi(r)?c`<button ?disabled=${this.isBusy} @click=${()=>this.during(()=>Zs(r.id,"resume"))}>GO ON</button>`:g}
<a class="button" href="#/othello">BACK</a>
</div>
<div role="alert">${t?c`<p class="error">${t}</p>`:g}</div>
${r?this.renderProgress(r):this.renderOthers()}
</div>
${e?.tests?c`<boardgym-part-tests
.tests=${e.tests}
@again=${()=>this.during(()=>Zs(e.bot.id,"tests"))}
></boardgym-part-tests>`:g}`}renderProgress(e){return c`<div class="row title">
<a href="#/train/${e.id}">${e.name}</a>${$r(e)}
</div>
${wr(e)}
<p class="quiet" role="status">${[Ai(e),e.message].filter(t=>t).join(" — ")}</p>
<div class="save">
<input
aria-label="Name of the saved nets"
maxlength="80"
autocomplete="off"
.value=${this.netName}
@input=${t=>this.netName=t.target.value}
/>
<button ?disabled=${!e.has_agent||this.isBusy} @click=${()=>this.during(()=>this.save(e))}>SAVE</button>
</div>
<p class="quiet" role="status">
${this.saved?c`Saved as “${this.saved.name}”. <a href="#/othello/play?white=${this.saved.id}">Play against it</a>`:g}
</p>`}renderOthers(){return this.others.length===0?g:c`<p class="quiet">Under way:
${this.others.map(e=>c`<a href="#/othello/train/${e.id}">${e.name}, ${Ai(e)}</a> `)}
</p>`}};Rt.styles=[C,O,us,jo,P`
:host {
display: grid;
grid-template-columns: minmax(0, 1fr) 22rem;
gap: 1.25rem;
align-items: start;
}
h1 {
grid-column: 1 / -1;
margin: 0;
}
.networks {
display: grid;
grid-template-columns: 1fr 1fr;
gap: 0.4rem;
}
.networks + .help {
margin: 0.4rem 0 0.8rem;
}
.train {
flex: 1 1 100%;
min-height: 3rem;
}
.save {
display: grid;
grid-template-columns: minmax(0, 1fr) auto;
gap: 0.4rem;
}
.title {
justify-content: space-between;
margin-top: 0.8rem;
}
@media (max-width: 60rem) {
:host {
grid-template-columns: minmax(0, 1fr);
}
}
`],u([k()],Rt.prototype,"botId",2),u([x()],Rt.prototype,"form",2),u([x()],Rt.prototype,"given",2),u([x()],Rt.prototype,"errors",2),u([x()],Rt.prototype,"others",2),u([x()],Rt.prototype,"message",2),u([x()],Rt.prototype,"saved",2),u([x()],Rt.prototype,"isBusy",2),Rt=u([L("boardgym-othello-train")],Rt);var ei=class extends _{constructor(){super(...arguments);this.message="";this.preferences=new Be(this)}connectedCallback(){super.connectedCallback(),Un(Qs,{}).then(e=>this.opening=e,e=>this.message=G(e))}render(){let[e="",t=""]=this.route.rest;return e==="train"?c`<boardgym-othello-train .botId=${t}></boardgym-othello-train>`:e==="play"&&t?c`<boardgym-othello-game .playId=${t}></boardgym-othello-game>`:e==="play"?c`<boardgym-othello-play .query=${this.route.query}></boardgym-othello-play>`:c`<div class="start">
<div class="picture">
${this.opening?c`<boardgym-board
palette=${this.preferences.palette}
.game=${this.opening.game}
.state=${this.opening.state}
></boardgym-board>`:g}
</div>
<div>
<h1 tabindex="-1">Othello</h1>
<p>
Neural networks learn Othello by Q-learning, against each other. Train them here, see how they do against two players
with fixed strategies, and play against them.
</p>
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
<nav aria-label="Othello">
<a class="button primary" href="#/othello/play">PLAY</a>
<a class="button" href="#/othello/train">TRAIN</a>
<a class="button" href="#/">EXIT</a>
</nav>
</div>
</div>`}};ei.styles=[C,O,Co,P`
:host {
display: block;
}
.start {
display: grid;
grid-template-columns: minmax(0, 24rem) minmax(0, 24rem);
gap: 2rem;
align-items: center;
justify-content: center;
}
.picture {
aspect-ratio: 1;
}
boardgym-board::part(line),
boardgym-board::part(notes) {
display: none;
}
nav {
display: grid;
gap: 0.75rem;
margin-top: 1.25rem;
}
nav .button {
min-height: 3.5rem;
font-size: 1.2rem;
font-weight: 600;
letter-spacing: 0.05em;
}
@media (max-width: 48rem) {
.start {
grid-template-columns: minmax(0, 1fr);
gap: 1rem;
}
.picture {
width: 60%;
margin: 0 auto;
}
}
`],u([k({attribute:!1})],ei.prototype,"route",2),u([x()],ei.prototype,"opening",2),u([x()],ei.prototype,"message",2),ei=u([L("boardgym-othello-room")],ei);var Sv=1e3,Tr=class extends _{constructor(){super(...arguments);this.timer=0;this.asked=0}connectedCallback(){super.connectedCallback(),this.look()}disconnectedCallback(){clearTimeout(this.timer),this.asked+=1,super.disconnectedCallback()}async look(){let e=++this.asked,t=JSON.stringify(this.guide?.steps),r=await me("/demo").catch(()=>this.guide);if(e!==this.asked)return;this.guide=r;let n=this.guide?.steps??[];t&&JSON.stringify(n)!==t&&this.dispatchEvent(new Event("grown")),(n.length>0||!r)&&(this.timer=window.setTimeout(()=>{this.look()},Sv))}render(){let{guide:e}=this;return!e||e.steps.length===0?g:c`<section class="card" aria-labelledby="guide">
<h2 id="guide">Begin here</h2>
<ol>
${e.steps.map(({title:t,text:r,address:n})=>c`<li>
${n?c`<a class="button primary" href=${n}>${t}</a>`:c`<button disabled>${t}</button>`}
<p>${r}</p>
</li>`)}
</ol>
<p class="quiet">
${e.is_whole?g:c`Games and bots are being made; the page can be used meanwhile. `}This is the demo: it is kept
apart from your own games, in ${e.folder}. ${e.message}
</p>
</section>`}};Tr.styles=[C,O,P`
.card {
margin-bottom: 1.25rem;
}
h2 {
margin: 0 0 0.6rem;
}
ol {
list-style: none;
margin: 0 0 0.7rem;
padding: 0;
display: grid;
grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
gap: 0.75rem;
}
li {
display: flex;
flex-direction: column;
gap: 0.4rem;
align-items: start;
}
p {
margin: 0;
overflow-wrap: anywhere;
}
`],u([x()],Tr.prototype,"guide",2),Tr=u([L("boardgym-demo")],Tr);var Gh=[["No clock",0,0],["1 minute",1,0],["3 minutes + 2 seconds a move",3,2],["5 minutes",5,0],["10 minutes + 5 seconds a move",10,5],["30 minutes",30,0]],Ri=class extends _{change(s){this.dispatchEvent(new CustomEvent("draft",{detail:s}))}changeOption(s,e){let t=this.draft.begin==="hand"?{begin:"start",fen:""}:{};this.change({options:{...this.draft.options,[s]:e},...t})}render(){let s=eo(this.entry,this.draft.options,(t,r)=>this.changeOption(t,r)),e=Object.keys(Xn(this.entry,this.draft)).length>0;return c`
${s.length>0?c`<details ?open=${e}>
<summary>Rules</summary>
<div class="fields">${s}</div>
</details>`:g}
<details ?open=${this.draft.minutes>0||this.draft.seed!==""}>
<summary>Clock and seed</summary>
<div class="fields">${this.renderClock()} ${this.renderSeed()}</div>
</details>
`}renderClock(){let{minutes:s,increment:e}=this.draft;return c`<div class="field">
<label for="clock">Clock</label>
<select
id="clock"
@change=${t=>{let[,r=0,n=0]=Gh[t.target.selectedIndex]??[];this.change({minutes:r,increment:n})}}
>
${Gh.map(([t,r,n])=>c`<option .selected=${r===s&&n===e}>${t}</option>`)}
</select>
</div>`}renderSeed(){return c`<div class="field">
<label for="seed">Seed</label>
<input
id="seed"
inputmode="numeric"
pattern="[0-9]{0,15}"
placeholder="a fresh one"
aria-describedby="seed-help"
.value=${this.draft.seed}
@change=${s=>this.change({seed:s.target.value.trim()})}
/>
<div class="help" id="seed-help">The same seed gives the same dice and random choices.</div>
</div>`}};Ri.styles=[C,O,P`
:host {
display: block;
margin: 0.8rem 0;
}
.fields {
display: grid;
grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr));
gap: 0 0.8rem;
padding-top: 0.5rem;
}
`],u([k({attribute:!1})],Ri.prototype,"entry",2),u([k({attribute:!1})],Ri.prototype,"draft",2),Ri=u([L("boardgym-play-options")],Ri);var fs=class extends _{constructor(){super(...arguments);this.message="";this.preferences=new Be(this);this.opened=0;this.checked=0}change(e){this.dispatchEvent(new CustomEvent("draft",{detail:e}))}willUpdate(e){let t=e.get("draft");if(!e.has("draft"))return;!t||t.game!==this.draft.game||!Ev(t,this.draft)?this.load():(t.begin!==this.draft.begin||t.fen!==this.draft.fen)&&this.check()}async load(){let{game:e,options:t}=this.draft,r=++this.opened;this.checked+=1,this.message="";try{let n=await Un(e,t);if(r!==this.opened)return;this.opening=n,await this.check()}catch(n){r===this.opened&&(this.message=G(n))}}async check(){let e=++this.checked,{game:t,options:r,begin:n,fen:o}=this.draft;if(this.message="",n!=="hand"&&(this.shown=void 0,!(n!=="fen"||!o.trim())))try{let{state:a}=await ad({game:t,options:r,fen:o.trim()});e===this.checked&&(this.shown=a)}catch(a){e===this.checked&&(this.message=G(a))}}render(){let{begin:e,setup:t}=this.draft,r=this.entry.setups.filter(o=>o!=="standard"),n=[["start","The usual start"]];return r.length>0&&n.push(["setup","A set-up or handicap"]),n.push(["fen","A position string"]),(this.opening?.game.brush||e==="hand")&&n.push(["hand","A board set up by hand"]),c`
<div class="begin">
<div class="field">
<label for="begin">Begin from</label>
<select
id="begin"
@change=${o=>this.change({begin:o.target.value})}
>
${n.map(([o,a])=>c`<option value=${o} .selected=${o===e}>${a}</option>`)}
</select>
</div>
${e==="setup"?c`<div class="field">
<label for="setup">Set-up</label>
<select id="setup" @change=${o=>this.change({setup:o.target.value})}>
${r.map(o=>c`<option value=${o} .selected=${o===t}>${o.replaceAll("_"," ")}</option>`)}
</select>
<div class="help">The board shows the usual start.</div>
</div>`:g}
${e==="fen"||e==="hand"?this.renderFen():g}
</div>
<div role="status">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
${this.renderBoard()}
${e==="fen"||e==="hand"?c`<p class="start">
<button type="button" ?disabled=${!this.draft.fen.trim()} @click=${()=>this.dispatchEvent(new Event("start"))}>
Start from this position
</button>
</p>`:g}
`}renderFen(){return c`<div class="field">
<label for="fen">Position string</label>
<input
id="fen"
class="mono"
maxlength="500"
autocomplete="off"
spellcheck="false"
placeholder=${this.opening?.state.fen??""}
.value=${this.draft.fen}
@change=${e=>this.change({begin:"fen",fen:e.target.value})}
/>
</div>`}renderBoard(){let{opening:e,draft:t}=this;return e?t.begin==="hand"&&e.game.brush?c`<boardgym-play-brush
.game=${e.game}
.start=${this.shown??e.state}
.options=${t.options}
.gameId=${t.game}
@fen=${r=>this.change({fen:r.detail})}
></boardgym-play-brush>`:e.game.places.length===0?c`<p class="mono">${(this.shown??e.state).fen}</p>`:c`<boardgym-board
palette=${this.preferences.palette}
.game=${e.game}
.state=${this.shown??e.state}
.interactive=${!1}
.showLegal=${!1}
></boardgym-board>`:g}};fs.styles=[C,O,P`
:host {
display: block;
min-width: 0;
}
.begin {
display: grid;
grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr));
gap: 0 0.8rem;
}
boardgym-board {
display: block;
max-width: 30rem;
margin: 0 auto;
}
.start {
margin-top: 0.8rem;
text-align: center;
}
`],u([k({attribute:!1})],fs.prototype,"entry",2),u([k({attribute:!1})],fs.prototype,"draft",2),u([x()],fs.prototype,"opening",2),u([x()],fs.prototype,"shown",2),u([x()],fs.prototype,"message",2),fs=u([L("boardgym-play-position")],fs);var Ev=(i,s)=>JSON.stringify(i.options)===JSON.stringify(s.options);var Pv={random:"Plays any legal move.",greedy:"Looks one move ahead.",positional:"Looks one move ahead, for good squares.",mobility:"Looks one move ahead, for more moves than you have.",parity:"Looks one move ahead, for the last move in each region.",max_disc:"Looks one move ahead, for the most discs.",mills:"Looks one move ahead, for mills.",minimax:"Looks as many moves ahead as the number says.",maxn:"Looks as many moves ahead as the number says; each seat for itself.",expectiminimax:"Looks as many moves ahead as the number says, over all dice.",uct:"Plays as many games in its head as the number says.",puct:"Searches as often as the number says, led by what it knows of the game.",best:"Plays as well as it can in the time that it is given for a move.",level:"Plays at a level from 1, the weakest, to 20.",agent:"Plays as it has learnt: an agent that comes with boardgym.",perfect:"Plays perfectly where it can tell; otherwise as the policy in brackets.",epsilon:"Plays as the policy in brackets, and now and then any legal move.",mix:"Draws one of its policies for each game."};function Ih(i){return Pv[/^\w*/.exec(i.trim())?.[0]??""]??""}var Tv=[["you","You"],["person","Another person"],["policy","A policy"],["agent","A trained agent"]],As=class extends _{constructor(){super(...arguments);this.name="";this.suggestions=[];this.agents=[]}change(e){this.dispatchEvent(new CustomEvent("seat",{detail:{...this.seat,...e}}))}choose(e){e==="agent"?this.change({who:e,spec:this.agents[0]?.id??""}):this.seat.who==="agent"?this.change({who:e,spec:Zn(this.suggestions)}):this.change({who:e})}render(){let{who:e}=this.seat,t=Tv.filter(([r])=>r!=="agent"||this.agents.length>0||e==="agent");return c`<fieldset>
<legend>${this.name}</legend>
<div class="choice">
<select
aria-label="Who plays ${this.name}"
@change=${r=>this.choose(r.target.value)}
>
${t.map(([r,n])=>c`<option value=${r} .selected=${r===e}>${n}</option>`)}
</select>
${e==="policy"?this.renderSpec():e==="agent"?this.renderAgents():g}
</div>
${e==="policy"?this.renderSuggestions():g}
</fieldset>`}renderSpec(){return c`<input
class="mono"
aria-label="Policy that plays ${this.name}"
aria-describedby="help"
maxlength="200"
autocomplete="off"
autocapitalize="off"
spellcheck="false"
.value=${this.seat.spec}
@input=${e=>this.change({spec:e.target.value})}
/>`}renderSuggestions(){return c`<div class="help" id="help">
${Ih(this.seat.spec)}
</div>
<div class="row suggestions" role="group" aria-label="Suggested policies">
${this.suggestions.map(e=>c`<button type="button" class="mono" aria-pressed=${e===this.seat.spec} @click=${()=>this.change({spec:e})}>
${e}
</button>`)}
</div>`}renderAgents(){return c`<select
aria-label="Agent that plays ${this.name}"
@change=${e=>this.change({spec:e.target.value})}
>
${this.agents.map(({id:e,name:t})=>c`<option value=${e} .selected=${e===this.seat.spec}>${t}</option>`)}
</select>`}};As.styles=[C,O,P`
:host {
display: block;
}
fieldset {
border: 0;
padding: 0;
margin: 0 0 0.9rem;
min-width: 0;
}
legend {
padding: 0;
font-weight: 600;
font-size: 0.9rem;
margin-bottom: 0.2rem;
}
legend::first-letter {
text-transform: uppercase;
}
.choice {
display: grid;
grid-template-columns: minmax(8.5rem, 11rem) minmax(0, 1fr);
gap: 0.5rem;
}
.help {
min-height: 1.3rem;
margin-top: 0.2rem;
}
.suggestions {
margin-top: 0.3rem;
gap: 0.3rem;
}
.suggestions button {
min-height: 1.9rem;
padding: 0.1rem 0.6rem;
font-size: 0.85rem;
}
@media (max-width: 26rem) {
.choice {
grid-template-columns: minmax(0, 1fr);
}
}
`],u([k()],As.prototype,"name",2),u([k({attribute:!1})],As.prototype,"seat",2),u([k({attribute:!1})],As.prototype,"suggestions",2),u([k({attribute:!1})],As.prototype,"agents",2),As=u([L("boardgym-play-seat")],As);var ts=class extends _{constructor(){super(...arguments);this.entries=[];this.agents=[];this.query=new URLSearchParams;this.message="";this.isStarting=!1}get entry(){return this.entries.find(({id:e})=>e===this.draft?.game)}willUpdate(e){if(!e.has("query")&&!e.has("entries")||this.entries.length===0)return;let t=this.query.get("game"),r=xs(this.entries,t);this.message=r?"":`There is no game “${t}”. These are the games that there are.`;let n=r??xs(this.entries,null);n&&(this.draft=dd(n,this.query))}change(e){if(!this.draft)return;this.draft={...this.draft,...e},this.message="";let t=this.entry;t&&history.replaceState(null,"",ud(t,this.draft))}chooseGame(e){this.draft=Qn(e),this.change({})}changeSeat(e,t){this.change({seats:this.draft?.seats.map((r,n)=>n===e?t:r)})}async start(e){e.preventDefault();let{entry:t,draft:r}=this;if(!(!t||!r||this.isStarting)){if((r.begin==="fen"||r.begin==="hand")&&!r.fen.trim()){this.message="There is no position to begin from yet. Give one, or begin from the usual start.";return}this.isStarting=!0,this.message="";try{let n=await rr(await hd(t,r));location.hash=`#/play/${n.id}`}catch(n){this.message=G(n)}finally{this.isStarting=!1}}}render(){let{entry:e,draft:t}=this;return!e||!t?c`<p class="quiet">Loading the games…</p>`:c`
<form @submit=${r=>this.start(r)}>
<div class="card">
<fieldset class="games">
<legend class="label">Game</legend>
${this.entries.map(r=>c`<label>
<input
type="radio"
name="game"
value=${r.id}
.checked=${r.id===t.game}
@change=${()=>this.chooseGame(r)}
/>${r.title}
</label>`)}
</fieldset>
${t.seats.map((r,n)=>c`<boardgym-play-seat
.name=${e.seats[n]??`seat ${n+1}`}
.seat=${r}
.suggestions=${e.policies}
.agents=${this.agents.filter(o=>o.game===e.id)}
@seat=${o=>this.changeSeat(n,o.detail)}
></boardgym-play-seat>`)}
${this.renderSwap()}
<boardgym-play-options
.entry=${e}
.draft=${t}
@draft=${r=>this.change(r.detail)}
></boardgym-play-options>
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
<button class="primary start" ?disabled=${this.isStarting}>${this.isStarting?"Starting…":"Start the game"}</button>
</div>
<boardgym-play-position
.entry=${e}
.draft=${t}
@start=${r=>this.start(r)}
@draft=${r=>this.change(r.detail)}
></boardgym-play-position>
</form>
`}renderSwap(){let e=this.draft?.seats??[];return e.length<2?g:c`<button type="button" @click=${()=>this.change({seats:[...e.slice(1),...e.slice(0,1)]})}>
Swap seats
</button>`}};ts.styles=[C,O,P`
:host {
display: block;
}
form {
display: grid;
grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr);
gap: 1.25rem;
align-items: start;
}
.games {
border: 0;
padding: 0;
margin: 0 0 1rem;
display: flex;
flex-wrap: wrap;
gap: 0.4rem;
}
.games legend {
padding: 0;
margin-bottom: 0.3rem;
}
.games label {
position: relative;
margin: 0;
padding: 0.35rem 0.8rem;
border: 1px solid var(--edge);
border-radius: 99px;
background: var(--raised);
cursor: pointer;
font-weight: 400;
}
.games label:hover {
border-color: var(--accent);
}
.games label:has(:checked) {
background: var(--accent);
border-color: var(--accent);
color: var(--on-accent);
font-weight: 600;
}
.games label:has(:focus-visible) {
outline: 2px solid var(--accent);
outline-offset: 2px;
}
.games input {
position: absolute;
inset: 0;
width: 100%;
height: 100%;
margin: 0;
opacity: 0;
cursor: pointer;
}
.start {
width: 100%;
font-size: 1.1rem;
min-height: 3rem;
margin-top: 0.4rem;
}
@media (max-width: 52rem) {
form {
grid-template-columns: minmax(0, 1fr);
}
}
`],u([k({attribute:!1})],ts.prototype,"entries",2),u([k({attribute:!1})],ts.prototype,"agents",2),u([k({attribute:!1})],ts.prototype,"query",2),u([x()],ts.prototype,"draft",2),u([x()],ts.prototype,"message",2),u([x()],ts.prototype,"isStarting",2),ts=u([L("boardgym-play-form")],ts);var It=class extends _{constructor(){super(...arguments);this.busy=!1;this.shown=0;this.isResigning=!1;this.isStarting=!1;this.copied=""}get hasPerson(){return this.play.seats.some(ft)}willUpdate(e){let t=e.get("play");t&&((t.id!==this.play.id||this.play.is_over)&&(this.isResigning=!1),t.id!==this.play.id&&(this.copied=""))}async rematch(){if(this.isStarting)return;this.isStarting=!0;let{game:e,seats:t,start:r,clocks:n}=this.play,o=[...t.slice(1),...t.slice(0,1)].map(({kind:d,spec:h})=>({kind:d,spec:h})),a=n?{clock:{seconds:n.seconds,increment:n.increment}}:{};try{let d=await rr({game:e.id,options:e.options,seats:o,position:r,...a});location.hash=`#/play/${d.id}`}catch(d){this.session.say(G(d))}finally{this.isStarting=!1}}async copy(e,t){try{await navigator.clipboard.writeText(e),this.copied=`${t} copied.`}catch{this.copied="This browser does not let the page copy: select the text and copy it yourself."}}render(){let{play:e}=this;return c`
<div class="buttons" role="group" aria-label="Game">
${e.is_over?this.renderAfter():this.renderDuring()} ${this.renderAlways()}
</div>
${this.isResigning?this.renderResigning():g}
${this.renderPosition()}
`}renderDuring(){let{play:e,session:t}=this,r=ft(e.seats[e.state.to_play??-1])&&!t.isPast;return c`
${this.hasPerson?c`<button ?disabled=${this.busy||e.state.moves.length===0} @click=${t.undo}>Take back</button>
<button ?disabled=${this.busy||!r} @click=${()=>t.askHint()}>Hint</button>
<button ?disabled=${this.busy} id="resign" @click=${()=>this.askResigning()}>Resign</button>`:c`<button class="primary" aria-pressed=${e.paused} @click=${e.paused?t.askAgain:t.pause}>
${e.paused?"Go on":"Pause"}
</button>`}
`}renderAfter(){let{session:e}=this;return c`
<button class="primary" ?disabled=${this.isStarting} @click=${()=>this.rematch()}>Rematch</button>
${this.hasPerson?c`<button ?disabled=${this.busy} @click=${e.undo}>Take back</button>`:g}
`}get query(){let{id:e,options:t}=this.play.game,r=new URLSearchParams({game:e});for(let[n,o]of Object.entries(t))r.append("option",`${n}=${o}`);return r.toString()}get analysis(){let{start:e,state:t}=this.play,r=new URLSearchParams({fen:e,moves:t.moves.join(" "),at:String(this.shown)});return`#/analyse?${this.query}&${r}`}renderAlways(){let e=this.play.seats.map(({kind:t,spec:r})=>t==="human"?t:r).join(";");return c`
<button @click=${()=>this.dispatchEvent(new CustomEvent("flip"))}>Flip board</button>
<a class="button" href="/api/plays/${this.play.id}/record" download>Save</a>
${Ls.some(({path:t})=>t==="analyse")?c`<a class="button" href=${this.analysis}>Analyse</a>`:g}
<a class="button" href="#/play?${this.query}&seats=${encodeURIComponent(e)}">New game</a>
`}async askResigning(){let{seats:e,state:t}=this.play,r=e.flatMap((o,a)=>ft(o)?[a]:[]),n=t.to_play??-1;this.resigning=r.length===1?r[0]:r.includes(n)?n:void 0,this.isResigning=!0,await this.updateComplete,this.renderRoot.querySelector("[role=alertdialog] button")?.focus()}async playOn(){this.isResigning=!1,await this.updateComplete,this.renderRoot.querySelector("#resign")?.focus()}resign(){this.isResigning=!1,this.session.resign(this.resigning)}renderResigning(){return c`<div class="card row" role="alertdialog" aria-label="Resign?" @keydown=${t=>{t.key==="Escape"&&this.playOn()}}>
<span>Resign this game?</span>
<button @click=${()=>this.playOn()}>Play on</button>
<button class="primary" @click=${()=>this.resign()}>Resign</button>
</div>`}renderPosition(){let e=this.session.shown?.fen??"",t=`${this.query}&fen=${encodeURIComponent(e)}`;return c`<details>
<summary>Position string</summary>
<div class="fen">
<input class="mono" readonly aria-label="Position string" .value=${e} @focus=${r=>r.target.select()} />
<button @click=${()=>this.copy(e,"Position string")}>Copy</button>
</div>
<p class="help" role="status">${this.copied}</p>
<p><a href="#/play?${t}">Start a game from here</a></p>
</details>`}};It.styles=[C,O,P`
:host {
display: grid;
gap: 0.75rem;
}
.buttons {
display: grid;
grid-template-columns: repeat(3, minmax(0, 1fr));
gap: 0.4rem;
}
.buttons > * {
padding: 0.3rem;
}
.fen {
display: grid;
grid-template-columns: minmax(0, 1fr) auto;
gap: 0.4rem;
}
`],u([k({attribute:!1})],It.prototype,"play",2),u([k({attribute:!1})],It.prototype,"session",2),u([k({type:Boolean})],It.prototype,"busy",2),u([k({type:Number})],It.prototype,"shown",2),u([x()],It.prototype,"isResigning",2),u([x()],It.prototype,"isStarting",2),u([x()],It.prototype,"copied",2),It=u([L("boardgym-play-actions")],It);var ti=class extends _{constructor(){super(...arguments);this.playId="";this.bots=[];this.session=new Er(this);this.preferences=new Be(this)}connectedCallback(){super.connectedCallback(),nr().then(e=>this.bots=e,()=>{})}willUpdate(e){e.has("playId")&&(this.flipped=void 0,this.session.follow(this.playId))}updated(){let{play:e}=this.session;e&&yt(`${e.game.title}: ${e.state.status}`)}render(){let{play:e,isGone:t,message:r}=this.session;if(t)return c`<h1 tabindex="-1">This game is not here</h1>
<p class="error" role="alert">${r}</p>
<p><a class="button primary" href="#/play">Start another game</a></p>`;if(!e)return c`<p class="quiet">Loading the game…</p>`;let n=Kn(e.seats,this.bots),{palette:o}=this.preferences;return c`
<h1 class="visually-hidden">${e.game.title}</h1>
<div class="game">
<div class="board">
${Oo(e,this.session,{palette:o,names:n,isFlipped:this.isFlipped(e)})}
${Do(e,this.session)}
</div>
<div class="side">
<boardgym-play-seats class="card" .play=${e} .names=${n} palette=${o}></boardgym-play-seats>
<boardgym-play-moves
class="card"
.steps=${zn(e)}
.seats=${e.game.seats}
.shown=${this.session.shownIndex}
@show=${a=>this.session.show(a.detail)}
></boardgym-play-moves>
<boardgym-play-actions
.play=${e}
.session=${this.session}
.busy=${this.session.isBusy}
.shown=${this.session.shownIndex}
@flip=${()=>this.flipped=!this.isFlipped(e)}
></boardgym-play-actions>
</div>
</div>
`}isFlipped(e){if(this.flipped!==void 0)return this.flipped;let t=e.seats.map(ft);return t.length===2&&t[1]===!0&&t[0]===!1}};ti.styles=[C,O,No],u([k()],ti.prototype,"playId",2),u([x()],ti.prototype,"bots",2),u([x()],ti.prototype,"flipped",2),ti=u([L("boardgym-play-game")],ti);var Ci=class extends _{constructor(){super(...arguments);this.plays=[];this.entries=[]}render(){return this.plays.length===0?g:c`<h2>Your games</h2>
<ul>
${this.plays.map(e=>this.renderPlay(e))}
</ul>`}forget(e,t){confirm(`Delete this game of ${t}? It cannot be brought back.`)&&this.dispatchEvent(new CustomEvent("forget",{detail:e.id}))}renderPlay(e){let t=this.entries.find(({id:o})=>o===e.game)?.title??e.game,r=e.is_over?e.result:e.ply===0?"not begun":`after ${e.ply} moves`,n=e.seats.map(({kind:o,spec:a})=>o==="human"?"a person":a).join(" – ");return c`<li>
<a href="#/play/${e.id}">
<div class="title">${t}</div>
<div class="seats quiet">${n}</div>
<div class="state quiet">${r}, <time datetime=${e.changed}>${_v(e.changed)}</time></div>
</a>
<button
class="plain"
aria-label="Delete this game of ${t}"
title="Delete"
@click=${()=>this.forget(e,t)}
>
✕
</button>
</li>`}};Ci.styles=[C,O,P`
:host {
display: block;
}
ul {
list-style: none;
margin: 0;
padding: 0;
display: grid;
grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
gap: 0.6rem;
}
li {
display: flex;
align-items: stretch;
border: 1px solid var(--edge);
border-radius: var(--radius);
background: var(--raised);
min-width: 0;
}
li:hover {
border-color: var(--accent);
}
a {
flex: 1;
min-width: 0;
padding: 0.6rem 0.8rem;
color: inherit;
text-decoration: none;
border-radius: var(--radius);
}
.title {
font-weight: 600;
}
.seats,
.state {
overflow: hidden;
text-overflow: ellipsis;
white-space: nowrap;
}
`],u([k({attribute:!1})],Ci.prototype,"plays",2),u([k({attribute:!1})],Ci.prototype,"entries",2),Ci=u([L("boardgym-play-list")],Ci);var El=new Intl.RelativeTimeFormat("en",{numeric:"auto"});function _v(i){let s=Math.round((Date.parse(i)-Date.now())/6e4);return Number.isFinite(s)?s>-1?"just now":s>-60?El.format(s,"minute"):s>-1440?El.format(Math.round(s/60),"hour"):El.format(Math.round(s/1440),"day"):""}var gs=class extends _{constructor(){super(...arguments);this.entries=[];this.agents=[];this.list=[];this.message=""}get playId(){return this.route.rest[0]??""}willUpdate(e){e.has("route")&&!this.playId&&this.load()}async load(){this.message="";try{[this.entries,this.list]=await Promise.all([this.entries.length>0?this.entries:Us(),od()]),this.agents=await nr()}catch(e){this.message=G(e)}}async forget(e){try{await Is(`/plays/${e}`),this.list=this.list.filter(t=>t.id!==e)}catch(t){this.message=G(t)}}render(){return this.playId?c`<boardgym-play-game .playId=${this.playId}></boardgym-play-game>`:c`
<h1>Play</h1>
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
<boardgym-demo @grown=${()=>this.load()}></boardgym-demo>
<boardgym-play-form .entries=${this.entries} .agents=${this.agents} .query=${this.route.query}></boardgym-play-form>
<boardgym-play-list
.plays=${this.list}
.entries=${this.entries}
@forget=${e=>this.forget(e.detail)}
></boardgym-play-list>
`}};gs.styles=[C,O,P`
:host {
display: block;
}
boardgym-play-list {
margin-top: 1.75rem;
}
`],u([k({attribute:!1})],gs.prototype,"route",2),u([x()],gs.prototype,"entries",2),u([x()],gs.prototype,"agents",2),u([x()],gs.prototype,"list",2),u([x()],gs.prototype,"message",2),gs=u([L("boardgym-play-room")],gs);var Hh=i=>(...s)=>({_$litDirective$:i,values:s}),Vo=class{constructor(s){}get _$AU(){return this._$AM._$AU}_$AT(s,e,t){this._$Ct=s,this._$AM=e,this._$Ci=t}_$AS(s,e){return this.update(s,e)}update(s,e){return this.render(...e)}};var{I:AS}=wc;var Mv={},qh=(i,s=Mv)=>i._$AH=s;var Uh=Hh(class extends Vo{constructor(){super(...arguments),this.key=g}render(i,s){return this.key=i,s}update(i,[s,e]){return s!==this.key&&(qh(i),this.key=s),e}});var Av="Perfect play",pt=class extends _{constructor(){super(...arguments);this.snapshots=[];this.fen="";this.chosen=0;this.perfect=[];this.isPlaying=!1;this.message="";this.preferences=new Be(this);this.asked={then:0,now:0,perfect:0,game:0}}willUpdate(e){let t=e.get("snapshots"),r=e.has("bot")&&e.get("bot")?.id!==this.bot.id;r||e.has("fen")?(r&&(Object.assign(this,{game:void 0,isPlaying:!1,chosen:this.snapshots[0]??0}),this.asked.game+=1),Object.assign(this,{then:void 0,now:void 0,perfect:[],message:""}),this.load("perfect",kh(this.bot.id,this.fen),n=>this.perfect=n.views),this.look(),this.lookNow()):e.has("snapshots")&&(t?.length!==this.snapshots.length||t?.at(-2)!==this.snapshots.at(-2))?(this.lookNow(),this.then||this.choose(this.snapshots[0]??0)):e.has("bot")&&e.get("bot")?.state!==this.bot.state&&this.lookNow()}async load(e,t,r){let n=++this.asked[e];try{let o=await t;n===this.asked[e]&&r(o)}catch(o){n===this.asked[e]&&(this.message=G(o))}e==="game"&&n===this.asked.game&&(this.isPlaying=!1)}look(){this.snapshots.length!==0&&this.load("then",$l(this.bot.id,this.chosen,this.fen),e=>this.then=e)}lookNow(){this.snapshots.length!==0&&this.load("now",$l(this.bot.id,void 0,this.fen),e=>this.now=e)}choose(e){this.chosen=e,this.message="",this.look()}get index(){let e=0,t=r=>Math.abs((this.snapshots[r]??0)-this.chosen);for(let r of this.snapshots.keys())t(r)<t(e)&&(e=r);return e}get unit(){return this.bot.progress?.unit??""}play(e,t=0){e!==this.chosen&&this.choose(e),this.isPlaying=!0,this.message="",this.load("game",Ph(this.bot.id,e,t),r=>{this.game=r,this.updateComplete.then(()=>this.renderRoot.querySelector(".game")?.scrollIntoView({block:"nearest"}))})}ask(e){e.preventDefault();let t=this.renderRoot.querySelector("#fen").value.trim();location.hash=`#/train/${this.bot.id}${t?`?${new URLSearchParams({fen:t})}`:""}`}render(){let{snapshots:e,index:t}=this;if(e.length===0)return c`<p class="quiet">They begin with what it learns first.</p>`;let r=Xt(e[t]??0,this.unit);return c`<div class="slider">
<label for="at">After ${r}</label>
<input
id="at"
type="range"
min="0"
max=${e.length-1}
.value=${String(t)}
aria-valuetext=${r}
@input=${n=>this.choose(e[n.target.valueAsNumber]??0)}
/>
</div>
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
${this.then?this.then.views.map((n,o)=>this.renderRow(o)):g}
${this.then||this.message?g:c`<p class="quiet">Asking the bot…</p>`}
<form class="own" @submit=${n=>this.ask(n)}>
<div>
<label for="fen">A position of your own</label>
<input id="fen" .value=${this.fen} placeholder=${this.then?.views[0]?.state.fen??""} maxlength="4000" autocomplete="off" spellcheck="false" />
</div>
<button>Show it</button>
</form>
${this.renderGame()}`}renderRow(e){let[t,r,n]=[this.then?.views[e],this.now?.views[e],this.perfect[e]];return!t||!this.then?g:c`<h3>${t.name}</h3>
<div class="views">
${this.renderView(`After ${oe(this.then.done)}`,t,n)}
${r&&this.now?this.renderView(`Now, after ${oe(this.now.done)}`,r,n):g}
${n?this.renderView(Av,n,n):g}
</div>`}renderView(e,t,r){let n=t.action===null?void 0:r?.values[t.action],o=r?.action==null?void 0:r.values[r.action],a=n!==void 0&&o!==void 0&&n<o,d=t.action===null?void 0:t.values[t.action],h=d===void 0?"":t.kind==="value"?` (${bt(d)})`:` (${_i(d)})`;return c`<figure>
<figcaption>
<span class="quiet">${e}</span>
<strong>${t.action===null?t.why:`${t.move}${t===r?"":h}`}</strong>
<span class=${a?"loses":"quiet"}>${n===void 0?"":`${a?"a mistake: ":""}${Lv(n)}`}</span>
</figcaption>
<boardgym-board
palette=${this.preferences.palette}
.game=${this.then?.game}
.state=${t.state}
.values=${t.values}
.arrows=${t.action===null?[]:[t.action]}
.typing=${!1}
></boardgym-board>
</figure>`}renderGame(){let{game:e,snapshots:t,index:r}=this,{palette:n}=this.preferences,o=t[r]??0,a=e?e.players.map((d,h)=>`${e.game.seats[h]}: ${d}`).join(", "):"";return c`<div class="row">
<button ?disabled=${this.isPlaying} @click=${()=>this.play(o)}>
${this.isPlaying?"It plays…":`Show a game of it after ${Xt(o,this.unit)}`}
</button>
${e?c`<button ?disabled=${this.isPlaying} @click=${()=>this.play(e.done,e.number+1)}>Another game</button>`:g}
</div>
${e?c`<div class="game" role="region" aria-label="A game of the bot">
<h3>A game after ${Xt(e.done,this.unit)}</h3>
<p class="quiet">${a}${e.message?`. ${e.message}`:""}</p>
${Uh(e,c`<boardgym-replay palette=${n} .game=${e.game} .states=${e.states}></boardgym-replay>`)}
</div>`:g}`}};pt.styles=[C,O,P`
:host {
display: block;
min-width: 0;
}
.slider input {
width: 100%;
accent-color: var(--accent);
}
.views {
display: grid;
grid-template-columns: repeat(auto-fill, minmax(min(13rem, 45%), 1fr));
gap: 0.8rem 1.2rem;
max-width: 52rem;
}
figure {
margin: 0;
min-width: 0;
}
figcaption {
margin-bottom: 0.3rem;
overflow-wrap: anywhere;
}
figcaption strong {
display: block;
}
h3 {
margin: 1rem 0 0.4rem;
font-size: 1rem;
}
.loses {
color: var(--bad);
}
.own {
display: flex;
flex-wrap: wrap;
gap: 0.5rem;
align-items: flex-end;
margin-top: 1rem;
}
.own div {
flex: 1 1 16rem;
}
.own input {
width: 100%;
}
.row {
margin-top: 0.8rem;
}
.game {
border-top: 1px solid var(--edge);
margin-top: 1.2rem;
}
`],u([k({attribute:!1})],pt.prototype,"bot",2),u([k({attribute:!1})],pt.prototype,"snapshots",2),u([k({attribute:!1})],pt.prototype,"fen",2),u([x()],pt.prototype,"chosen",2),u([x()],pt.prototype,"then",2),u([x()],pt.prototype,"now",2),u([x()],pt.prototype,"perfect",2),u([x()],pt.prototype,"game",2),u([x()],pt.prototype,"isPlaying",2),u([x()],pt.prototype,"message",2),pt=u([L("boardgym-checkpoints")],pt);var Lv=i=>i===1?"wins":i===-1?"loses":i===0?"draws":`worth ${bt(i)}`;var zh='.uplot, .uplot *, .uplot *::before, .uplot *::after {box-sizing: border-box;}.uplot {font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji";line-height: 1.5;width: min-content;}.u-title {text-align: center;font-size: 18px;font-weight: bold;}.u-wrap {position: relative;user-select: none;}.u-over, .u-under {position: absolute;}.u-under {overflow: hidden;}.uplot canvas {display: block;position: relative;width: 100%;height: 100%;}.u-axis {position: absolute;}.u-legend {font-size: 14px;margin: auto;text-align: center;}.u-inline {display: block;}.u-inline * {display: inline-block;}.u-inline tr {margin-right: 16px;}.u-legend th {font-weight: 600;}.u-legend th > * {vertical-align: middle;display: inline-block;}.u-legend .u-marker {width: 1em;height: 1em;margin-right: 4px;background-clip: padding-box !important;}.u-inline.u-live th::after {content: ":";vertical-align: middle;}.u-inline:not(.u-live) .u-value {display: none;}.u-series > * {padding: 4px;}.u-series th {cursor: pointer;}.u-legend .u-off > * {opacity: 0.3;}.u-select {background: rgba(0,0,0,0.07);position: absolute;pointer-events: none;}.u-cursor-x, .u-cursor-y {position: absolute;left: 0;top: 0;pointer-events: none;will-change: transform;}.u-hz .u-cursor-x, .u-vt .u-cursor-y {height: 100%;border-right: 1px dashed #607D8B;}.u-hz .u-cursor-y, .u-vt .u-cursor-x {width: 100%;border-bottom: 1px dashed #607D8B;}.u-cursor-pt {position: absolute;top: 0;left: 0;border-radius: 50%;border: 0 solid;pointer-events: none;will-change: transform;/*this has to be !important since we set inline "background" shorthand */background-clip: padding-box !important;}.u-axis.u-off, .u-select.u-off, .u-cursor-x.u-off, .u-cursor-y.u-off, .u-cursor-pt.u-off {display: none;}';var Wh=300,Kh=70,Pl="games won, drawn, lost",Tl="score rates against judges",Yh=["quality","won","lost","drawn"],Jh=[[],[9,4],[3,3],[12,3,3,3]],Cv=12,Ov=40,Rs=class extends _{constructor(){super(...arguments);this.curve={columns:[],rows:[]};this.opens=!1;this.shown="";this.drawn="";this.width=0;this.observer=new ResizeObserver(()=>this.fit());this.scheme=matchMedia("(prefers-color-scheme: dark)");this.redraw=()=>{this.drawn="",requestAnimationFrame(()=>this.draw())}}connectedCallback(){super.connectedCallback(),this.observer.observe(this),this.scheme.addEventListener("change",this.redraw),Yt.addEventListener("change",this.redraw)}disconnectedCallback(){this.observer.disconnect(),this.scheme.removeEventListener("change",this.redraw),Yt.removeEventListener("change",this.redraw),this.forget(),super.disconnectedCallback()}forget(){this.plot?.destroy(),this.plot=void 0,this.drawn=""}fit(){let e=Math.floor(this.clientWidth);e!==this.width&&(this.width=e,this.plot?.setSize({width:e,height:Wh}),this.plot||this.draw())}get hasGames(){return["won","drawn","lost"].every(e=>this.curve.columns.includes(e))}get choices(){let{judges:e,hasGames:t}=this,r=[...t?["won","drawn","lost"]:[],...e.flatMap(o=>[o,`${o} low`,`${o} high`])],n=this.curve.columns.slice(1).filter(o=>!r.includes(o));return[...t?[Pl]:[],...e.length>0?[Tl]:[],...n]}get judges(){return this.curve.columns.filter(e=>this.curve.columns.includes(`${e} low`))}get isShare(){return this.choice===Pl||this.choice===Tl}get choice(){return this.choices.includes(this.shown)?this.shown:this.choices[0]??""}column(e){let t=this.curve.columns.indexOf(e);return this.curve.rows.map(r=>r[t]??null)}lines(){if(this.choice===Tl)return this.judges.map((o,a)=>({name:o,colour:Yh[a%Yh.length],dash:Jh[a%Jh.length],width:2,values:this.column(o).map(d=>d===null?null:100*d)}));if(this.choice!==Pl)return[{name:this.choice,colour:"quality",dash:[],width:2,values:this.column(this.choice)}];let[e,t,r]=["won","drawn","lost"].map(o=>this.column(o)),n=o=>e.map((a,d)=>{let h=(e[d]??0)+(t[d]??0)+(r[d]??0);return h>0?100*o(d)/h:null});return[{name:"Quality",colour:"quality",dash:[],width:2.5,values:n(o=>(e[o]??0)+(t[o]??0))},{name:"won",colour:"won",dash:[],width:1.5,values:n(o=>e[o]??0)},{name:"drawn",colour:"drawn",dash:[3,3],width:1.5,values:n(o=>t[o]??0)},{name:"lost",colour:"lost",dash:[9,4],width:1.5,values:n(o=>r[o]??0)}]}updated(e){(e.has("curve")||e.has("shown"))&&this.draw()}draw(){if(!this.place||this.curve.rows.length===0||this.width===0){this.forget();return}let e=this.lines(),t=[this.column(this.curve.columns[0]??""),...e.map(({values:r})=>r)];if(this.plot&&this.drawn===this.choice){this.plot.setData(t);return}this.forget(),this.plot=new ze(this.options(e),t,this.place),this.opens&&this.plot.over.addEventListener("click",()=>this.point(this.plot?.cursor.idx)),this.drawn=this.choice}point(e){let t=e==null?null:this.curve.rows[e]?.[0];t!=null&&this.dispatchEvent(new CustomEvent("point",{detail:{at:t}}))}options(e){let t="12px system-ui, sans-serif",{isShare:r}=this,n={stroke:this.resolved("axis"),font:t,grid:{stroke:this.resolved("grid"),width:1}};return{width:this.width,height:Wh,padding:[null,Kh/2,null,null],scales:{x:{time:!1},y:r?{range:[0,100]}:{}},axes:[{...n,space:Kh,label:this.curve.columns[0],labelFont:t,values:(o,a)=>a.map(d=>oe(d))},{...n,size:60,values:(o,a)=>a.map(d=>`${oe(d)}${r?" %":""}`)}],series:[{label:this.curve.columns[0],value:(o,a)=>a===null?"–":oe(a)},...e.map(({name:o,colour:a,dash:d,width:h})=>({label:o,stroke:this.resolved(a),width:h,dash:d,points:{show:b=>(b.data[0]?.length??0)<Ov},value:(b,v)=>v===null?"–":_l(v,r)}))]}}resolved(e){let t=this.renderRoot.querySelector(`.probes .${e}`);return t?getComputedStyle(t).color:"gray"}render(){let{rows:e}=this.curve;return c`<div class="probes">
${["quality","won","drawn","lost","axis","grid"].map(t=>c`<span class=${t}></span>`)}
</div>
${this.choices.length>1?this.renderChoice():g}
${e.length===0?c`<p class="empty quiet">The curve begins with the first games.</p>`:c`<div class="plot" role="img" aria-label=${this.summary()}></div>
${this.renderPoints()}`}`}renderChoice(){return c`<div class="row">
<label for="shown">Curve of</label>
<select id="shown" @change=${e=>this.shown=e.target.value}>
${this.choices.map(e=>c`<option value=${e} ?selected=${e===this.choice}>${e}</option>`)}
</select>
</div>`}renderPoints(){let e=this.lines(),t=this.column(this.curve.columns[0]??""),r=Math.max(0,t.length-Cv),{isShare:n}=this;return c`<details>
<summary class="quiet">The last points in numbers</summary>
<table class="points">
<thead>
<tr>
<th scope="col">${this.curve.columns[0]}</th>
${e.map(({name:o})=>c`<th scope="col">${o}</th>`)}
</tr>
</thead>
<tbody>
${t.slice(r).map((o,a)=>c`<tr>
<td>${o===null?"":this.renderPoint(o,r+a)}</td>
${e.map(({values:d})=>c`<td>${_l(d[r+a]??null,n)}</td>`)}
</tr>`)}
</tbody>
</table>
</details>`}renderPoint(e,t){return this.opens?c`<button aria-label="A game after ${oe(e)}" @click=${()=>this.point(t)}>${oe(e)}</button>`:oe(e)}summary(){let{isShare:e}=this,t=this.lines().map(({name:n,values:o})=>`${n} ${_l(o.at(-1)??null,e)}`),r=this.curve.rows.at(-1)?.[0]??0;return`Curve over ${oe(r)} ${this.curve.columns[0]}; at its end: ${t.join(", ")}`}};Rs.styles=[C,O,En(zh),P`
:host {
display: block;
min-width: 0;
}
.uplot {
font: inherit;
}
.u-legend {
font-size: 0.87rem;
text-align: left;
}
.u-legend tr.u-series th,
.u-legend tr.u-series td {
color: var(--text);
}
:host([opens]) .u-over {
cursor: pointer;
}
.points button {
min-height: 1.9rem;
padding: 0 0.6rem;
}
.probes {
display: none;
}
.quality {
color: var(--accent);
}
.won {
color: var(--good);
}
.drawn,
.axis {
color: var(--quiet);
}
.lost {
color: var(--bad);
}
.grid {
color: var(--edge);
}
.empty {
min-height: 6rem;
display: grid;
place-content: center;
text-align: center;
}
table {
border-collapse: collapse;
font-variant-numeric: tabular-nums;
}
.points th,
.points td {
text-align: right;
padding: 0.1rem 0.7rem 0.1rem 0;
font-weight: 400;
}
`],u([k({attribute:!1})],Rs.prototype,"curve",2),u([k({type:Boolean,reflect:!0})],Rs.prototype,"opens",2),u([Vs(".plot")],Rs.prototype,"place",2),u([x()],Rs.prototype,"shown",2),Rs=u([L("boardgym-curve")],Rs);function _l(i,s){return i===null?"–":s?`${i.toFixed(1)} %`:yo(i,5)}var Dv=65535,ss=class extends _{constructor(){super(...arguments);this.botId="";this.learnt=0;this.moves=[];this.shown=this.moves;this.message="";this.preferences=new Be(this);this.asked=0;this.answered=0}willUpdate(e){e.has("botId")&&(this.found=void 0,this.moves=this.shown=[]),(e.has("botId")||e.has("learnt"))&&this.look(this.moves)}async look(e){let t=++this.asked;this.moves=e;try{let r=await xh(this.botId,e);if(e!==this.moves||t<this.answered)return;this.answered=t,this.found=r,this.shown=e,this.message=""}catch(r){if(e!==this.moves||t<this.answered)return;this.moves=this.shown,this.message=G(r)}}play(e){this.moves===this.shown&&this.look([...this.shown,e])}render(){let{found:e}=this;if(!e)return this.message?c`<p class="error">${this.message}</p>`:c`<p class="quiet">Reading its table…</p>`;let{entries:t,state:r,statistics:n}=e,o=Object.fromEntries(t.filter(({is_known:a})=>a).map(({action:a,value:d})=>[a,d]));return c`<p class="quiet">
${oe(n.entries)} entries of ${oe(n.positions)} positions; ${e.holds}. Play moves to walk through
it.
</p>
${this.message?c`<p class="error">${this.message}</p>`:g}
<div class="both">
<div>
<boardgym-board
palette=${this.preferences.palette}
.game=${e.game}
.state=${r}
.values=${o}
?interactive=${this.moves===this.shown}
@play=${a=>this.play(a.detail.action)}
></boardgym-board>
<div class="row">
<button ?disabled=${this.moves.length===0} @click=${()=>this.look(this.moves.slice(0,-1))}>Back</button>
<button ?disabled=${this.moves.length===0} @click=${()=>this.look([])}>Start</button>
</div>
</div>
${t.length>0?this.renderEntries(t):c`<p class="quiet">The game is over here.</p>`}
</div>`}renderEntries(e){let t=Math.max(1e-9,...e.map(({value:n})=>Math.abs(n))),r=[...e].sort((n,o)=>o.value-n.value||n.action-o.action);return c`<div class="wide" tabindex="0" role="region" aria-label="Values of the moves">
<table>
<thead>
<tr>
<th scope="col">Move</th>
<th scope="col">Value</th>
<th scope="col"><span class="visually-hidden">Size</span></th>
<th scope="col">Updates</th>
</tr>
</thead>
<tbody>
${r.map(({action:n,move:o,value:a,visits:d,is_known:h,is_best:b})=>c`<tr class=${h?b?"best":"":"unknown"}>
<td>
<button
aria-label="${o}: look at what follows"
@click=${()=>this.play(n)}
>
${o}
</button>
</td>
<td>${h?a.toFixed(2):"–"}</td>
<td class="scale">
<svg class="bar ${a<0?"below":""}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
<rect width=${Math.max(100*Math.abs(a)/t,1)} height="8" rx="1"></rect>
</svg>
</td>
<td>${h?d<Dv?oe(d):`${oe(d)} or more`:"never"}</td>
</tr>`)}
</tbody>
</table>
</div>`}};ss.styles=[C,O,P`
:host {
display: block;
}
.both {
display: grid;
grid-template-columns: minmax(0, 22rem) minmax(0, 1fr);
gap: 1rem 1.5rem;
align-items: start;
}
.wide {
overflow: auto;
max-height: 26rem;
}
table {
border-collapse: collapse;
width: 100%;
font-variant-numeric: tabular-nums;
}
th,
td {
text-align: right;
padding: 0.15rem 0.5rem;
border-bottom: 1px solid var(--edge);
font-weight: 400;
}
th:first-child,
td:first-child {
text-align: left;
padding-left: 0;
}
td button {
min-height: 1.9rem;
padding: 0 0.6rem;
}
.best {
font-weight: 700;
}
.unknown {
color: var(--quiet);
}
.scale {
width: 40%;
min-width: 5rem;
}
.bar {
display: block;
width: 100%;
height: 0.7rem;
fill: var(--accent);
}
.bar.below {
fill: var(--bad);
}
@media (max-width: 46rem) {
.both {
grid-template-columns: minmax(0, 1fr);
}
}
`],u([k({attribute:!1})],ss.prototype,"botId",2),u([k({attribute:!1})],ss.prototype,"learnt",2),u([x()],ss.prototype,"found",2),u([x()],ss.prototype,"moves",2),u([x()],ss.prototype,"shown",2),u([x()],ss.prototype,"message",2),ss=u([L("boardgym-memory")],ss);var Nv={random:"Random: both play at random",clone:"Clone: it plays against itself",base:"Base: fixed replies"},_r=class extends _{render(){let{trials:s,progress:e,has_agent:t,seats:r}=this.bot,n=s.seats.length>0&&(e?.done??0)>s.done;return c`${s.seats.map(({seat:o,verdict:a,figures:d})=>c`${a?c`<p class="verdict ${a}">${a}</p>`:g}
${this.renderTable(r[o]??`seat ${o+1}`,d)}`)}
${s.seats.length>0?c`<p class="help">${s.rule}</p>`:g}
${n?c`<p class="quiet">These are of the bot after ${oe(s.done)}; it has learnt more since.</p>`:g}
<div role="status">
${s.state==="running"?c`<p>The trials are under way…</p>`:g}
${s.state==="failed"?c`<p class="error">The trials failed: ${s.message}</p>`:g}
</div>
${s.state==="running"?g:c`<button ?disabled=${!t} @click=${()=>this.dispatchEvent(new CustomEvent("try"))}>
${s.seats.length>0?"Try it again":"Try it: random, clone and base test"}
</button>`}`}renderTable(s,e){return c`<div class="wide">
<table>
<thead>
<tr>
<th scope="col">As ${s}</th>
<th scope="col">won</th>
<th scope="col">drawn</th>
<th scope="col">lost</th>
<th scope="col">quality</th>
</tr>
</thead>
<tbody>
${e.map(({name:t,won:r,drawn:n,lost:o,quality:a})=>c`<tr>
<th scope="row">${Nv[t]??t}</th>
<td>${_i(r)}</td>
<td>${_i(n)}</td>
<td>${_i(o)}</td>
<td><strong>${_i(a)}</strong></td>
</tr>`)}
</tbody>
</table>
</div>`}};_r.styles=[C,O,P`
:host {
display: block;
}
.verdict {
font-size: 1.6rem;
font-weight: 700;
line-height: 1.2;
}
.Invincible,
.Strong {
color: var(--good);
}
.Weak {
color: var(--bad);
}
.wide {
overflow-x: auto;
margin-bottom: 0.6rem;
}
table {
border-collapse: collapse;
width: 100%;
font-variant-numeric: tabular-nums;
}
th,
td {
text-align: right;
padding: 0.3rem 0 0.3rem 0.5rem;
border-bottom: 1px solid var(--edge);
font-weight: 400;
white-space: nowrap;
}
th:first-child {
text-align: left;
padding-left: 0;
white-space: normal;
min-width: 5.5rem;
}
@media (max-width: 32rem) {
table {
font-size: 0.87rem;
}
}
thead th {
color: var(--quiet);
font-size: 0.87rem;
}
`],u([k({attribute:!1})],_r.prototype,"bot",2),_r=u([L("boardgym-trials")],_r);var Cs=class extends _{constructor(){super(...arguments);this.botId="";this.fen="";this.message="";this.isSure=!1;this.followed=new Js(this,"/bots",({bot:e})=>yt(e.name,"Train"))}willUpdate(e){e.has("botId")&&(Object.assign(this,{message:"",isSure:!1}),this.followed.follow(this.botId))}get page(){return this.followed.now}async tell(e){this.message="",await Zs(this.botId,e).catch(t=>this.message=G(t))}async play(){this.message="";try{this.page&&(location.hash=Th(this.page.bot,await wh(this.botId)))}catch(e){this.message=G(e)}}open(e){this.renderRoot.querySelector("boardgym-checkpoints")?.play(e)}async forget(){if(!this.isSure){this.isSure=!0;return}this.followed.stop();try{await Is(`/bots/${this.botId}`),location.hash="#/train"}catch(e){this.message=G(e),this.followed.begin()}}render(){let e=c`<p class="quiet"><a href="#/train">All bots</a></p>`,t=this.message||this.followed.message,r=c`<div role="alert">${t?c`<p class="error">${t}</p>`:g}</div>`;if(!this.page)return c`${e}${r}${t?g:c`<p class="quiet">Loading the bot…</p>`}`;let{bot:n,curve:o,snapshots:a,log:d}=this.page;return c`${e}
<div class="title"><h1 tabindex="-1">${n.name}</h1>${$r(n)}<span class="quiet">${n.title}</span></div>
${n.description?c`<p>${n.description}</p>`:g} ${wr(n)}
<p class="quiet" role="status">${[Ai(n),n.message].filter(h=>h).join(" — ")}</p>
${r}${this.renderButtons()}
${n.learner?c`<section class="card" aria-labelledby="curve">
<h2 id="curve">Training curve</h2>
<boardgym-curve .curve=${o} opens @point=${h=>this.open(h.detail.at)}></boardgym-curve>
<p class="quiet">A click on a point shows a game of the bot as it was then.</p>
</section>
<section class="card" aria-labelledby="checkpoints">
<h2 id="checkpoints">Then and now</h2>
<boardgym-checkpoints .bot=${n} .snapshots=${a} .fen=${this.fen}></boardgym-checkpoints>
</section>`:g}
${this.page.tests?c`<section class="card" aria-label="Tests">
<boardgym-part-tests .tests=${this.page.tests} @again=${()=>this.tell("tests")}></boardgym-part-tests>
</section>`:g}
<div class="two">
<section class="card" aria-labelledby="trials">
<h2 id="trials">Trials</h2>
<boardgym-trials .bot=${n} @try=${()=>this.tell("trials")}></boardgym-trials>
</section>
<section class="card" aria-labelledby="made">
<h2 id="made">How it was made</h2>
${this.renderMade(d)}
</section>
</div>
${n.has_memory?c`<section class="card" aria-labelledby="memory">
<h2 id="memory">Memory</h2>
<boardgym-memory .botId=${n.id} .learnt=${n.progress?.done??0}></boardgym-memory>
</section>`:g}`}renderButtons(){let e=this.page?.bot;return e?c`<div class="row buttons">
${Ps(e)?c`<button @click=${()=>this.tell("stop")}>Stop</button>`:g}
${Mi(e)?c`<button class="primary" @click=${()=>this.tell("resume")}>Go on</button>`:g}
${e.has_agent?c`<button class=${Mi(e)?"":"primary"} @click=${()=>this.play()}>Play against it</button>
<a class="button" href=${Sh(e.id)} download>Download its memory</a>`:g}
${e.form?c`<a class="button" href="#/train/new?like=${e.id}">Make one like it</a>`:g}
<button class="danger" @click=${()=>this.forget()} @blur=${()=>this.isSure=!1}>
${this.isSure?"Yes, delete all that it has learnt":"Delete"}
</button>
</div>`:g}renderMade(e){let t=this.page?.bot;if(!t?.learner)return c`<p>Its file was uploaded: ${t?.message.replace(/^uploaded: /,"")}.</p>`;let r=Object.entries(t.given);return c`<p class="quiet">The same on the command line:</p>
<pre><code>${t.command}</code></pre>
${r.length>0?c`<dl>
${r.map(([n,o])=>c`<dt class="quiet">${n}</dt><dd>${o===null?"empty":Array.isArray(o)?o.join(" "):String(o)}</dd>`)}
</dl>`:g}
${e?c`<details>
<summary class="quiet">What its process said</summary>
<pre tabindex="0">${e}</pre>
</details>`:g}`}};Cs.styles=[C,O,us,P`
:host {
display: block;
}
.title {
display: flex;
flex-wrap: wrap;
gap: 0.3rem 0.8rem;
align-items: center;
}
.title h1 {
margin: 0;
overflow-wrap: anywhere;
min-width: 0;
}
.buttons {
margin: 0.8rem 0 1.2rem;
}
.card {
margin-bottom: 1rem;
}
.two {
display: grid;
grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
gap: 0 1rem;
align-items: start;
}
pre {
white-space: pre-wrap;
overflow-wrap: anywhere;
max-height: 16rem;
overflow: auto;
margin: 0.3rem 0;
font-size: 0.82rem;
}
dl {
display: grid;
grid-template-columns: max-content minmax(0, 1fr);
gap: 0.1rem 1rem;
margin: 0.3rem 0;
}
dd {
margin: 0;
overflow-wrap: anywhere;
}
.danger {
color: var(--bad);
margin-left: auto;
}
@media (max-width: 32rem) {
.buttons > * {
flex: 1 1 auto;
}
}
`],u([k({attribute:!1})],Cs.prototype,"botId",2),u([k({attribute:!1})],Cs.prototype,"fen",2),u([x()],Cs.prototype,"message",2),u([x()],Cs.prototype,"isSure",2),Cs=u([L("boardgym-bot")],Cs);var Zh="create-bot",jv=["Game","Opponent","Length","Bot","Algorithm","Memory"],Qh=["Alexander","Capablanca","Judit","Vera","Tal","Menchik","Botvinnik","Polgar"],Ht=class extends _{constructor(){super(...arguments);this.query=new URLSearchParams;this.entries=[];this.given={};this.errors={};this.message="";this.isBusy=!1;this.wanted="";this.asked=0;this.botName=Qh[Math.floor(Math.random()*Qh.length)]??"Bot";this.description=""}willUpdate(e){e.has("query")&&this.begin()}async begin(){let e=++this.asked;try{if(this.entries.length===0&&(this.entries=await yh()),e!==this.asked)return;let t=this.query.get("like");if(t){let{bot:r}=await $h(t);if(e!==this.asked)return;this.botName=r.name,this.description=r.description,await this.choose(r.form||Zh,r.given)}else await this.choose(this.query.get("form")??Zh,{})}catch(t){e===this.asked&&(this.message=G(t))}}async choose(e,t,r=!1){let n=++this.asked;this.wanted=e,this.message="";try{let o=new URLSearchParams;for(let d of["game","preset"])t[d]&&o.set(d,String(t[d]));let a=await _o(e,o);if(n!==this.asked)return;this.form=a,r||Object.assign(this,{given:Bh(t,a.fields),errors:{}})}catch(o){if(n!==this.asked)return;this.wanted=this.form?.name??"",Object.assign(this,{errors:$i(o).errors,message:G(o)})}}async change(e,t){let r=Bo(this.given,e,t);this.given=r;let{[e.name]:n,...o}=this.errors;this.errors=o,e.redraws&&this.form?.name===this.wanted&&await this.choose(this.wanted,r,!0)}async make(e){if(e.preventDefault(),!(!this.form||this.isBusy)){this.isBusy=!0,this.errors={},this.message="";try{let t=await Mo({name:this.botName.trim()||"Bot",description:this.description,form:this.form.name,given:this.given});location.hash=`#/train/${t.id}`}catch(t){Object.assign(this,$i(t)),await this.updateComplete,this.renderRoot.querySelector("[aria-invalid=true]")?.focus()}finally{this.isBusy=!1}}}render(){let{form:e}=this;return c`<form novalidate @submit=${t=>this.make(t)}>
<div class="card grid">
<div class="field">
<label for="learner">Learner</label>
<select id="learner" @change=${t=>this.choose(t.target.value,{})}>
${this.entries.map(({name:t,title:r})=>c`<option value=${t} ?selected=${t===e?.name}>${r}</option>`)}
</select>
<p class="help">${ko(this.entries.find(({name:t})=>t===e?.name)?.help??"")}</p>
</div>
<div class="field">
<label for="name">Name</label>
<input
id="name"
maxlength="80"
autocomplete="off"
.value=${this.botName}
@input=${t=>this.botName=t.target.value}
/>
</div>
<div class="field">
<label for="description">Description</label>
<textarea
id="description"
rows="2"
maxlength="2000"
.value=${this.description}
@input=${t=>this.description=t.target.value}
></textarea>
</div>
</div>
${e?this.renderFields(e):g}
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
<button class="primary make" ?disabled=${this.isBusy||!e}>${this.isBusy?"Checking…":"Create and train"}</button>
</form>`}renderFields({fields:e,notes:t}){let{given:r,errors:n}=this;return c`${Fo(e,{given:r,errors:n,open:jv,change:(o,a)=>this.change(o,a)})}
${t.length>0?c`<ul class="notes quiet">
${t.map(o=>c`<li>${o}</li>`)}
</ul>`:g}`}};Ht.styles=[C,O,jo,P`
:host {
display: block;
}
form {
max-width: 62rem;
}
.notes {
margin: 0 0 1rem;
padding-left: 1.2rem;
}
`],u([k({attribute:!1})],Ht.prototype,"query",2),u([x()],Ht.prototype,"entries",2),u([x()],Ht.prototype,"form",2),u([x()],Ht.prototype,"given",2),u([x()],Ht.prototype,"errors",2),u([x()],Ht.prototype,"message",2),u([x()],Ht.prototype,"isBusy",2),Ht=u([L("boardgym-bot-form")],Ht);var si=class extends _{constructor(){super(...arguments);this.message="";this.isUploading=!1}connectedCallback(){super.connectedCallback(),this.end=Hs("/bots/events",e=>this.list=vh(this.list,e))}disconnectedCallback(){this.end?.(),super.disconnectedCallback()}async tell(e,t){this.message="",await Zs(e,t).catch(r=>this.message=G(r))}async setLimit(e){let t=e.target;this.message="",await Wr("PUT","/bots/limit",{limit:t.valueAsNumber}).catch(r=>{this.message=G(r),t.value=String(this.list?.limit??1)})}async upload(e){let t=e.target,r=t.files?.[0];if(t.value="",!!r){this.isUploading=!0,this.message="";try{let n=await yl(r,r.name.replace(/\.safetensors$/,"")||"agent");location.hash=`#/train/${n.id}`}catch(n){this.message=G(n)}finally{this.isUploading=!1}}}render(){let{list:e}=this;return c`<div class="row head">
<h1>Train</h1>
<a class="button primary" href="#/train/new">New bot</a>
</div>
<div role="alert">${this.message?c`<p class="error">${this.message}</p>`:g}</div>
${e===void 0?c`<p class="quiet">Loading the bots…</p>`:this.renderBots(e.bots)}
${e?this.renderBelow(e):g}`}renderBots(e){return e.length===0?c`<div class="card empty">
<p>A bot learns a game by playing it: tic-tac-toe takes seconds.</p>
<p class="quiet">Watch its curve, play against it while it trains, look into what it remembers.</p>
<a class="button primary" href="#/train/new">Make the first bot</a>
</div>`:c`<ul>
${e.map(t=>this.renderBot(t))}
</ul>`}renderBot(e){let t=[...new Set(e.trials.seats.map(({verdict:r})=>r).filter(r=>r))];return c`<li>
<div class="title"><a href="#/train/${e.id}">${e.name}</a>${$r(e)}</div>
<div class="quiet">
${e.title}${e.learner?` · ${e.learner}`:""}${t.length>0?` · ${t.join(", ")}`:""}
</div>
${wr(e)}
<div class="quiet said">${Ai(e)}</div>
${e.state==="failed"?c`<div class="quiet said">${e.message}</div>`:g}
${Ps(e)||Mi(e)?c`<div class="row">
${Ps(e)?c`<button aria-label="Stop ${e.name}" @click=${()=>this.tell(e.id,"stop")}>Stop</button>`:c`<button aria-label="Go on with ${e.name}" @click=${()=>this.tell(e.id,"resume")}>Go on</button>`}
</div>`:g}
</li>`}renderBelow(e){return c`<div class="below">
<div>
<label for="limit">Bots that train at once</label>
<input
id="limit"
type="number"
min="1"
max="64"
.value=${String(e.limit)}
@change=${t=>this.setLimit(t)}
/>
</div>
<div>
<label class="button">
${this.isUploading?"Checking the file…":"Upload an agent’s file"}
<input
class="visually-hidden"
type="file"
accept=".safetensors"
?disabled=${this.isUploading}
@change=${t=>this.upload(t)}
/>
</label>
<p class="help">A bot’s memory from another studio, or agent.safetensors of boardgym train. Nothing in it is executed.</p>
</div>
</div>`}};si.styles=[C,O,us,P`
:host {
display: block;
}
.head {
justify-content: space-between;
margin-bottom: 1rem;
}
.head h1 {
margin: 0;
}
ul {
list-style: none;
margin: 0 0 1.5rem;
padding: 0;
display: grid;
grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
gap: 0.75rem;
}
li {
border: 1px solid var(--edge);
border-radius: 12px;
background: var(--raised);
padding: 0.8rem 1rem;
min-width: 0;
display: flex;
flex-direction: column;
}
li:hover {
border-color: var(--accent);
}
.title {
display: flex;
justify-content: space-between;
gap: 0.5rem;
align-items: baseline;
}
.title a {
font-weight: 600;
font-size: 1.05rem;
color: inherit;
text-decoration: none;
overflow: hidden;
text-overflow: ellipsis;
min-width: 0;
}
.title a:hover {
text-decoration: underline;
}
.said {
overflow-wrap: anywhere;
}
li .row {
margin-top: auto;
padding-top: 0.4rem;
}
.empty {
text-align: center;
padding: 2.5rem 1rem;
margin-bottom: 1.5rem;
}
.below {
display: flex;
flex-wrap: wrap;
gap: 1rem 2rem;
align-items: flex-end;
}
.below input[type="number"] {
width: 5rem;
}
label.button {
font-weight: 400;
font-size: inherit;
margin: 0;
}
label.button:focus-within {
outline: 2px solid var(--accent);
outline-offset: 2px;
}
`],u([x()],si.prototype,"list",2),u([x()],si.prototype,"message",2),u([x()],si.prototype,"isUploading",2),si=u([L("boardgym-bot-list")],si);var Fv="new",Mr=class extends _{render(){let s=this.route.rest[0]??"";return s===Fv?c`<p class="quiet"><a href="#/train">All bots</a></p>
<h1>New bot</h1>
<boardgym-bot-form .query=${this.route.query}></boardgym-bot-form>`:s?c`<boardgym-bot .botId=${s} .fen=${this.route.query.get("fen")??""}></boardgym-bot>`:c`<boardgym-bot-list></boardgym-bot-list>`}};Mr.styles=[C,O,P`
:host {
display: block;
}
`],u([k({attribute:!1})],Mr.prototype,"route",2),Mr=u([L("boardgym-train-room")],Mr);var Ls=[{path:"play",title:"Play",draw:i=>c`<boardgym-play-room .route=${i}></boardgym-play-room>`},{path:"analyse",title:"Analyse",draw:i=>c`<boardgym-analyse-room .route=${i}></boardgym-analyse-room>`},{path:"train",title:"Train",draw:i=>c`<boardgym-train-room .route=${i}></boardgym-train-room>`},{path:"games",title:"Games",draw:i=>c`<boardgym-games-room .route=${i}></boardgym-games-room>`},{path:"arena",title:"Arena",draw:i=>c`<boardgym-arena-room .route=${i}></boardgym-arena-room>`},{path:"othello",title:"Othello",draw:i=>c`<boardgym-othello-room .route=${i}></boardgym-othello-room>`}];function Ml(i){let[s="",e=""]=i.replace(/^#\/?/,"").split(/\?(.*)/s),[t="",...r]=s.split("/").map(Bv);return{room:t||(Ls[0]?.path??""),rest:r,query:new URLSearchParams(e)}}function Bv(i){try{return decodeURIComponent(i)}catch{return i}}var Xh=i=>c`
<h1 tabindex="-1">Nothing here</h1>
<p>There is no room “${i.room}”. <a href="#/${Ls[0]?.path??""}">Go to the first room.</a></p>
`;var Vv={system:"As the system",light:"Light",dark:"Dark"},Ar=class extends _{constructor(){super();this.route=Ml(location.hash);this.connectionChanged=()=>this.requestUpdate();this.follow=()=>{let e=this.route;this.route=Ml(location.hash),eu(e)!==eu(this.route)&&this.updateComplete.then(()=>this.focusRoom())};this.closeDisplay=e=>{let t=this.renderRoot.querySelector("details");t?.open&&!e.composedPath().includes(t)&&(t.open=!1)};new Be(this)}connectedCallback(){super.connectedCallback(),addEventListener("hashchange",this.follow),Gs.addEventListener("change",this.connectionChanged),addEventListener("pointerdown",this.closeDisplay)}disconnectedCallback(){removeEventListener("hashchange",this.follow),Gs.removeEventListener("change",this.connectionChanged),removeEventListener("pointerdown",this.closeDisplay),super.disconnectedCallback()}focusRoom(e){e?.preventDefault(),scrollTo(0,0),this.renderRoot.querySelector("main")?.focus({preventScroll:!0})}updated(e){e.has("route")&&(yt(Ls.find(({path:t})=>t===this.route.room)?.title??"Nothing here"),this.centreRoom())}centreRoom(){let e=this.renderRoot.querySelector("nav"),t=e?.querySelector("[aria-current=page]");e&&t&&(e.scrollLeft=t.offsetLeft-e.offsetLeft-(e.clientWidth-t.offsetWidth)/2)}render(){let e=Ls.find(({path:t})=>t===this.route.room);return c`
<a class="skip button primary" href="#main" @click=${t=>this.focusRoom(t)}>Skip to the room</a>
<header>
<a class="name" href="#/${Ls[0]?.path??""}" aria-label="boardgym studio, first room">
<img src="/static/icon.svg" alt="" width="26" height="26" /><span>boardgym</span>
</a>
<nav aria-label="Rooms">
${Ls.map(({path:t,title:r})=>c`<a href="#/${t}" aria-current=${t===this.route.room?"page":"false"}>${r}</a>`)}
</nav>
${this.renderDisplay()}
</header>
<div role="status">
${Gs.isLost?c`<div class="lost">
The studio does not answer: is <code>boardgym studio</code> still running? This page goes on as soon as it is back.
</div>`:g}
</div>
<main id="main" tabindex="-1" aria-label=${e?.title??"Nothing here"}>
${e?e.draw(this.route):Xh(this.route)}
</main>
`}renderDisplay(){return c`<details
class="display"
@keydown=${e=>{let t=e.currentTarget;e.key!=="Escape"||!t.open||(t.open=!1,t.querySelector("summary")?.focus())}}
>
<summary>Display</summary>
<div>
<div class="field">
<label for="theme">Theme</label>
<select
id="theme"
@change=${e=>Yt.setTheme(e.target.value)}
>
${Dn.map(e=>c`<option value=${e} ?selected=${e===Yt.theme}>${Vv[e]}</option>`)}
</select>
</div>
<label class="check">
<input
type="checkbox"
.checked=${Yt.isColourBlind}
@change=${e=>Yt.setColourBlind(e.target.checked)}
/>
Colour-blind palette
</label>
</div>
</details>`}};Ar.styles=[C,O,P`
:host {
display: flex;
flex-direction: column;
min-height: 100vh;
background: var(--page);
}
.skip {
position: absolute;
left: 0.5rem;
top: -4rem;
z-index: 10;
}
.skip:focus {
top: 0.5rem;
}
header {
display: flex;
align-items: center;
gap: 0.25rem 1rem;
padding: 0 1rem;
border-bottom: 1px solid var(--edge);
background: var(--surface);
}
.name {
display: flex;
align-items: center;
gap: 0.5rem;
font-weight: 700;
color: inherit;
text-decoration: none;
padding: 0.6rem 0;
white-space: nowrap;
}
nav {
display: flex;
flex: 1;
min-width: 0;
overflow-x: auto;
}
nav a {
padding: 0.75rem;
color: var(--quiet);
text-decoration: none;
border: solid transparent;
border-width: 3px 0;
outline-offset: -3px;
}
nav a:hover {
color: var(--text);
}
nav a[aria-current="page"] {
color: var(--text);
border-bottom-color: var(--accent);
font-weight: 600;
}
.display {
position: relative;
}
.display > div {
position: absolute;
right: 0;
top: calc(100% + 0.6rem);
z-index: 5;
width: 15rem;
background: var(--raised);
border: 1px solid var(--edge);
border-radius: var(--radius);
padding: 0.8rem;
box-shadow: 0 8px 24px rgb(0 0 0 / 0.25);
}
.display summary {
list-style: none;
border-radius: var(--radius);
padding: 0.4rem 0.6rem;
color: var(--quiet);
}
.display summary::-webkit-details-marker {
display: none;
}
.check {
display: flex;
gap: 0.5rem;
align-items: center;
font-weight: 400;
margin: 0;
}
.lost {
background: var(--bad-tint);
color: var(--bad);
padding: 0.6rem 1rem;
text-align: center;
position: sticky;
top: 0;
z-index: 4;
}
main {
flex: 1;
width: 100%;
max-width: 82rem;
margin: 0 auto;
padding: 1.25rem 1rem 3rem;
}
main:focus {
outline: none;
}
@media (max-width: 32rem) {
header {
padding: 0 0.6rem;
gap: 0.25rem;
}
.name span {
display: none;
}
nav {
mask-image: linear-gradient(to right, transparent, black 0.75rem calc(100% - 0.75rem), transparent);
}
main {
padding: 0.75rem 0.75rem 3rem;
}
}
`],u([x()],Ar.prototype,"route",2),Ar=u([L("boardgym-studio")],Ar);var eu=i=>[i.room,...i.rest].join("/");export{Ar as Studio};
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
  (**
   * @license
   * Copyright 2019 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
@lit/reactive-element/decorators/custom-element.js:
@lit/reactive-element/decorators/property.js:
@lit/reactive-element/decorators/state.js:
@lit/reactive-element/decorators/event-options.js:
@lit/reactive-element/decorators/base.js:
@lit/reactive-element/decorators/query.js:
@lit/reactive-element/decorators/query-all.js:
@lit/reactive-element/decorators/query-async.js:
@lit/reactive-element/decorators/query-assigned-nodes.js:
lit-html/directive.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/is-server.js:
  (**
   * @license
   * Copyright 2022 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/decorators/query-assigned-elements.js:
lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directive-helpers.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
