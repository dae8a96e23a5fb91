/* Built by make components from the folders beside this one: edit those. */
var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}};var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node},button=(name="",text="")=>Object.assign(el("button",name,text),{type:"button"}),find=(root,selector,kind)=>{
let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(`No ${kind?.name??"node"}\
 at ${selector}.`);return node};var findAll=(root,selector,_kind)=>[...root.querySelectorAll(selector)];var reasonOf=error=>error instanceof TypeError?"no connection":error instanceof Error?error.message:String(error),locate=path=>`${globalThis.
benchwrightBase??""}${path}`,get=async(path,signal)=>{let answer=await fetch(locate(path),{signal});if(answer.ok)return answer;
throw new Error((await answer.json().catch(()=>({}))).message??`The server answered ${answer.status}.`)},getJson=async path=>(await get(
path)).json();var lastUpTo=(list,value,key)=>{let low=0,high=list.length;for(;low<high;){let mid=low+high>>1;key(list[mid])<=value?low=
mid+1:high=mid}return low-1};var LEAFING=90,WIDTHS=[1e3,2e3],INNER=.25,pagings=new Map,pagesOf=id=>{let held=pagings.get(id);if(held)return held;let asked=getJson(
`/bench/pages/${encodeURIComponent(id)}`).then(found=>found.pages);return asked.catch(()=>pagings.delete(id)),pagings.set(
id,asked),asked},PageView=class{id=null;pages=null;page=null;drawn=null;spans=[];current=0;point=null;blob=null;asked=null;asking=null;boxing=null;spanOf=new WeakMap;whole=!1;soon=0;constructor(place){
this.place=place;let small=(name,words,title)=>{let made=Object.assign(button(`small ${name}`,words),{title});return made.
setAttribute("aria-label",title),made};this.before=small("page-before","‹","Page before (←)"),this.after=small("page\
-after","›","Next page (→)"),this.zoomer=small("page-zoom","","Whole page or its width (z)"),this.box=el("input","pa\
ge-number"),Object.assign(this.box,{inputMode:"numeric",autocomplete:"off"}),this.box.setAttribute("aria-label","Page"),
this.count=el("span","faint"),this.note=el("span","faint page-note"),this.note.setAttribute("role","status");let bar=el(
"div","pages-bar");bar.append(this.before,el("span","faint","Page"),this.box,this.count,this.after,this.note,el("span","\
grow"),this.zoomer),this.frame=el("div","pages-frame"),this.frame.tabIndex=0,this.leaf=el("div","leaf"),this.frame.append(
this.leaf),place.replaceChildren(bar,this.frame),this.before.onclick=()=>this.step(-1),this.after.onclick=()=>this.step(
1),this.zoomer.onclick=()=>this.zoom(),this.box.onchange=()=>{let wanted=Number(this.box.value);Number.isInteger(wanted)&&
wanted>=1&&wanted<=(this.pages?.length??0)?this.turn(wanted):this.box.value=String(this.page??""),this.box.blur()},this.
zoomed()}stop(){clearTimeout(this.soon),this.asked?.abort(),this.blob&&URL.revokeObjectURL(this.blob),this.blob=null}async open(id,point){
this.id!==id&&(this.stop(),this.id=id,this.pages=this.page=this.drawn=null,this.leaf.replaceChildren(el("p","faint empty",
"Opening the pages")),this.note.textContent="");try{let pages=await pagesOf(id);if(this.id!==id)return;this.pages=pages,
this.count.textContent=`of ${pages.length.toLocaleString("en")}`,point!==void 0?this.reveal(point):this.page||this.turn(
1)}catch(error){this.id===id&&this.sorry(error)}}reveal(point){this.pages&&(this.point=point,this.turn(Math.max(1,lastUpTo(
this.pages,point,page=>page[0])+1)))}step(by){let wanted=(this.page??1)+by;this.pages&&wanted>=1&&wanted<=this.pages.length&&
this.turn(wanted)}turn(page){let same=page===this.page;if(this.page=page,this.box.value=String(page),this.before.disabled=
page<=1,this.after.disabled=page>=(this.pages?.length??0),same&&this.drawn===this.name)return this.boxes();clearTimeout(
this.soon),this.soon=setTimeout(()=>this.fetch(),this.drawn?LEAFING:0)}get name(){return`${this.id}/${this.page}/${this.
width}`}get width(){return WIDTHS.find(width=>width>=this.frame.clientWidth*window.devicePixelRatio)??WIDTHS.at(-1)}async fetch(){
let{name,page,id}=this;this.asked?.abort(),this.asked=new AbortController,this.leaf.classList.add("waits"),this.note.textContent=
"";try{let answer=await get(`/bench/page/${page}/${encodeURIComponent(id??"")}?width=${this.width}`,this.asked.signal),blob=URL.
createObjectURL(await answer.blob()),image=el("img");if(image.alt=`Page ${page} as it looks`,image.src=blob,await image.
decode(),this.name!==name)return URL.revokeObjectURL(blob);this.blob&&URL.revokeObjectURL(this.blob),this.blob=blob,this.
drawn=name,this.leaf.classList.remove("waits"),this.leaf.replaceChildren(image),this.frame.scrollTop=0,await this.boxes()}catch(error){
!(error instanceof DOMException&&error.name==="AbortError")&&this.name===name&&this.sorry(error)}}sorry(error){this.drawn=
null,this.leaf.classList.remove("waits"),this.leaf.replaceChildren(el("p","faint empty",error instanceof TypeError?"The \
page could not be loaded: no connection.":reasonOf(error)))}marks(spans,current){this.spans=spans,this.current=current,this.
drawn&&this.drawn===this.name&&this.boxes()}async boxes(){let{name,page,id}=this;if(!this.pages||!page||!id)return;let[start,
end]=this.pages[page-1],here=this.spans.filter(span=>span.start<end&&span.end>start),found={spans:[],more:!1},places=here.
map(span=>`${span.start}-${span.end}`).join(","),boxing={};this.boxing=boxing;try{if(here.length&&(found=await this.placed(
`/bench/boxes/${page}/${encodeURIComponent(id)}?spans=${places}`)),this.boxing!==boxing)return;this.note.textContent=found.
more?"Not all boxes are drawn: there are too many.":""}catch(error){this.note.textContent=error instanceof TypeError?"Th\
e boxes could not be loaded: no connection.":reasonOf(error)}if(this.boxing!==boxing||this.drawn!==name||this.name!==name)
return;for(let node of findAll(this.leaf,".span-box, .span-number"))node.remove();this.leaf.append(...here.flatMap((span,n)=>(found.
spans[n]??[]).map(box=>this.drawBox(span,box))));let firsts=here.flatMap((span,n)=>{let box=found.spans[n]?.[0];return box&&
!span.kind?[{span,box,start:found.starts?.[n]}]:[]});this.leaf.append(...this.numbers(firsts)),this.point!==null&&this.toPoint(),
this.point=null}placed(address){this.asking?.address!==address&&(this.asking={address,found:getJson(address)});let{found}=this.
asking;return found.catch(()=>{this.asking=null}),found}numbers(firsts){let places=[];return firsts.map(({span,box:[left,
top],start})=>{let column=Math.min(start??left,left),edge=column>INNER?1:column,near=places.filter(other=>Math.abs(other.
edge-edge)<.1&&Math.abs(other.top-top)<.02),beside=0;for(;near.some(other=>other.beside===beside);)beside++;places.push(
{edge,top,beside});let node=el("div",span.n===this.current?"span-number current":"span-number",String((span.n??0)+1)),across=edge===
1?`right:${.2+1.3*beside}rem`:`left:max(0.2rem, calc(${column*100}% - ${1.5+1.3*beside}rem))`;return node.style.cssText=
`top:${top*100}%;${across}`,node})}drawBox(span,[left,top,right,bottom]){let kind=span.kind?span.kind:span.n===this.current?
"current":"",node=el("div",`span-box ${kind}`);return this.spanOf.set(node,span),node.style.cssText=`left:${left*100}%;t\
op:${top*100}%;width:${(right-left)*100}%;height:${(bottom-top)*100}%`,span.kind||(node.dataset.evidence=String(span.n)),
node}toPoint(){let all=[...this.leaf.querySelectorAll(".span-box")],node=all.find(one=>this.spanOf.get(one)?.start===this.
point)??all.find(one=>this.spanOf.get(one)?.n===this.current)??all[0];if(!node)return;let[box,frame]=[node.getBoundingClientRect(),
this.frame.getBoundingClientRect()];(box.top<frame.top+8||box.bottom>frame.bottom-8)&&(this.frame.scrollTop+=box.top-frame.
top-frame.height*.3)}zoom(){this.whole=!this.whole,this.zoomed(),this.toPoint()}zoomed(){this.frame.classList.toggle("wh\
ole",!!this.whole),this.zoomer.replaceChildren(this.whole?"Fit width ":"Whole page ",el("kbd","","z"))}key(key){let step={
ArrowRight:1,ArrowLeft:-1}[key];if(step)this.step(step);else if(key==="z")this.zoom();else return!1;return!0}};var LonePages=class extends PageView{render({data}){this.marks(data.spans,-1),this.id!==data.document&&this.open(data.document,
data.spans[0]?.start)}},page_view_default=mount(parent=>new LonePages(find(parent,".pages")));export{page_view_default as default};
