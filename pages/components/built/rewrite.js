/* Built by make components from the folders beside this one: edit those. */
var SIGNS_OF_LIFE=["keydown","mousemove","pointerdown","wheel","scroll","touchmove"],ActiveTime=class{constructor(){this.
total=0,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible",this.alive=()=>{this.settle(),
this.life=performance.now()},this.turned=()=>{this.settle(),document.visibilityState==="visible"&&(this.life=performance.
now())};for(let kind of SIGNS_OF_LIFE)window.addEventListener(kind,this.alive,{capture:!0,passive:!0});document.addEventListener(
"visibilitychange",this.turned,!0)}get isActive(){return document.visibilityState==="visible"&&performance.now()-this.life<=
6e4}settle(){let now=performance.now(),counted=Math.min(now,this.life+6e4)-this.mark;this.seen&&counted>0&&(this.total+=
counted),this.mark=now,this.seen=document.visibilityState==="visible"}start(seconds=0){this.total=Math.max(0,Number(seconds)||
0)*1e3,this.mark=this.life=performance.now(),this.seen=document.visibilityState==="visible"}get seconds(){return this.settle(),
Math.round(this.total/100)/10}stop(){for(let kind of SIGNS_OF_LIFE)window.removeEventListener(kind,this.alive,{capture:!0});
document.removeEventListener("visibilitychange",this.turned,!0)}};var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}},onLeave=leave=>{let hidden=()=>{document.visibilityState==="hidden"&&leave()};return document.addEventListener(
"visibilitychange",hidden),window.addEventListener("pagehide",leave),()=>{document.removeEventListener("visibilitychange",
hidden),window.removeEventListener("pagehide",leave)}};var LANGUAGE_NAMES={en:"English",zh:"Chinese"};var NAMES={173:"soft hyphen",1564:"ALM",6158:"MVS",8203:"zero width space",8204:"ZWNJ",8205:"ZWJ",8206:"LRM",8207:"RLM",
8232:"line separator",8233:"paragraph separator",8234:"LRE",8235:"RLE",8236:"PDF",8237:"LRO",8238:"RLO",8288:"word joine\
r",8294:"LRI",8295:"RLI",8296:"FSI",8297:"PDI",65279:"BOM"},UNSEEN=/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu,
JOINS=/(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Sinhala})$/u,
TURNS=/[\u202a-\u202e\u2066-\u2069]/,nameOf=character=>{let code=character.codePointAt(0)??0;return NAMES[code]??`U+${code.
toString(16).toUpperCase().padStart(4,"0")}`},unseen=text=>{let found=[];for(let match of text.matchAll(UNSEEN))(!(match[0]===
"‍"||match[0]==="‌")||!JOINS.test(text.slice(Math.max(0,match.index-2),match.index)))&&found.push([match.index,match[0]]);
return found},turnsText=character=>TURNS.test(character),unseenNote=text=>{let names=[...new Set(unseen(text).map(([,character])=>nameOf(
character)))];return names.length?`This text contains invisible characters: ${names.join(", ")}`:""},clock=(when,seconds=!0)=>{
let at=new Date(when),two=n=>String(n).padStart(2,"0");return Number.isNaN(at.valueOf())?"earlier":[at.getHours(),at.getMinutes(),
...seconds?[at.getSeconds()]:[]].map(two).join(":")};var el=(tag,name="",text=null)=>{let node=document.createElement(tag);return name&&(node.className=name),text!==null&&(node.
textContent=text),node},button=(name="",text="")=>Object.assign(el("button",name,text),{type:"button"}),find=(root,selector,kind)=>{
let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(`No ${kind?.name??"node"}\
 at ${selector}.`);return node},finder=root=>(name,kind)=>find(root,`.${name}`,kind);var focused=root=>root.getRootNode().activeElement,write=(node,text)=>{let at=0;for(let[index,character]of unseen(text)){
index>at&&node.append(text.slice(at,index));let ghost=el("span",turnsText(character)?"ghost turn":"ghost",character);ghost.
dataset.name=nameOf(character),ghost.title=`An unseen character: ${nameOf(character)}`,node.append(ghost),at=index+character.
length}return at<text.length&&node.append(at?text.slice(at):text),node},foreign=(tag,name,text)=>{let node=el(tag,`${name}\
 foreign`);return node.dir="auto",write(node,text)};var overStorage=open=>({get(key){try{return JSON.parse(open().getItem(key)??"null")}catch{return null}},set(key,value){try{
return open().setItem(key,JSON.stringify(value)),!0}catch{return!1}},drop(key){try{open().removeItem(key)}catch{return}},
keys(prefix){try{return Object.keys(open()).filter(key=>key.startsWith(prefix))}catch{return[]}}}),memory=overStorage(()=>localStorage),
tabMemory=overStorage(()=>sessionStorage);var freshKey=()=>crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint8Array(16))].map(byte=>byte.toString(16).padStart(
2,"0")).join(""),isOffline=error=>error instanceof TypeError||error instanceof DOMException;var locate=path=>`${globalThis.benchwrightBase??""}${path}`;var post=async(path,body,{keepalive=!1,patience=15e3}={})=>{let text=JSON.stringify(body),answer=await fetch(locate(path),
{method:"POST",body:text,headers:{"Content-Type":"application/json","X-Benchwright":"desk"},keepalive:keepalive&&new Blob(
[text]).size<6e4,signal:keepalive?void 0:AbortSignal.timeout(patience)}),received=await answer.json().catch(()=>{if(answer.
ok)throw new TypeError("The server's answer is incomplete.");return{}});return{status:answer.status,body:received}},postOnce=async(path,body)=>{
try{return await post(path,body)}catch(error){if(!isOffline(error))throw error;return null}},untilOnline=seconds=>new Promise(
go=>{let done=()=>{clearTimeout(timer),window.removeEventListener("online",done),go()},timer=setTimeout(done,seconds*1e3);
window.addEventListener("online",done)}),persist=async(path,body,hearTrouble)=>{for(let wait=1;;wait=Math.min(wait*2,10)){
let answer=await postOnce(path,body);if(answer&&answer.status<500)return answer;hearTrouble(answer?`the server answered ${answer.
status}`:"no connection"),await untilOnline(wait)}},waitAtMost=(awaited,most)=>Promise.race([awaited,new Promise(go=>setTimeout(
go,most))]);var PREFIX="benchwright.desk",FORGET_AFTER_MS=30*864e5,PAUSE_MS=400,TAB=(()=>{let fresh=freshKey();try{let place=`${PREFIX}\
.tab`;return sessionStorage.getItem(place)||sessionStorage.setItem(place,fresh),sessionStorage.getItem(place)??fresh}catch{
return fresh}})(),wordsKey=(person,subject,revision)=>`${PREFIX}.words:${person}:${subject}:${revision}`;var subjectOf=(on,item)=>on?`${on}:${item}`:item,localDraft=(person,subject)=>memory.keys(`${PREFIX}.words:${person}:${subject}\
:`).map(key=>memory.get(key)).filter(copy=>copy&&typeof copy.question=="string"&&Array.isArray(copy.evidence)).sort((a,b)=>b.
at-a.at)[0]??null,newestDraft=(person,subject,stored)=>{let here=person?localDraft(person,subject):null,there=stored?{...stored,
at:Date.parse(stored.saved_at)||0}:null;return here&&(!there||here.at>there.at)?{...here,local:!0}:there},forget=(person,subject)=>{
for(let key of memory.keys(`${PREFIX}.`))key.includes(`:${person}:${subject}:`)&&memory.drop(key)},dropOldDrafts=()=>{for(let key of memory.
keys(`${PREFIX}.`)){let copy=memory.get(key);copy?.at&&Date.now()-copy.at>FORGET_AFTER_MS&&memory.drop(key)}},DraftKeeper=class{constructor(owner){
this.owner=owner,this.dirty=this.held=this.asks=!1,this.body=null,this.at=0,this.timer=0,this.since=void 0,this.flight=null}typed(){
let{item,data,words,evidence=[],base,time,on="",labelAnswers}=this.owner,body={person:data.person,item:item.id,revision:base,
question:words.question,answer:words.answer,evidence,seconds:time.seconds,on,label_answers:labelAnswers??void 0};this.body=
body,this.at=Date.now(),this.dirty=!0,memory.set(this.keyOf(body),{...body,at:this.at}),clearTimeout(this.timer),this.timer=
setTimeout(()=>this.flush(),PAUSE_MS)}flush(){return clearTimeout(this.timer),this.dirty&&!this.held&&!this.asks&&(this.
flight??=this.send().finally(()=>{this.flight=null})),this.flight??Promise.resolve()}async send(){let{owner}=this;for(let wait=1;this.
dirty&&!this.held;wait=Math.min(wait*2,10)){let{body,at}=this;if(!body)return;this.dirty=!1;let why="no connection";try{
let answer=await post(this.address(body),this.withTab(body)),isShown=body.item===this.body?.item;if(answer.status===200){
this.stored(body,at),isShown&&this.since!==void 0&&(this.since=answer.body.saved_at),owner.hearHolder?.(answer.body.held,
body.item),isShown&&owner.saved(`saved ${clock(Date.now())}`),wait=1;continue}if(answer.status===409&&answer.body.theirs){
if(!isShown)return;this.asks=!0,owner.saved("not stored: choose one of the two",!0),owner.elsewhere(answer.body.theirs,answer.
body.message);return}if(answer.status<500){owner.saved(`not stored: ${answer.body.message??`the server answered ${answer.
status}`}`,!0);return}why=`the server answered ${answer.status}`}catch(error){if(!isOffline(error))throw error}if(body.item!==
this.body?.item||owner.gone)return;this.dirty=!0,owner.saved(`not saved yet: ${why}, trying again`,!0),await untilOnline(
wait)}}withTab(body){return this.since===void 0?body:{...body,tab:TAB,since:this.since,key:this.owner.pressKey??""}}knows(savedAt=""){
this.since=savedAt,this.asks=!1}address({on}){return on?`/bench/${on}/scratch`:"/bench/scratch"}keyOf({person,item,revision,
on}){return`${wordsKey(person,subjectOf(on,item),revision)}:${TAB}`}stored(body,at){let key=this.keyOf(body);memory.get(
key)?.at<=at&&memory.drop(key)}last(){if(clearTimeout(this.timer),!this.dirty&&!this.flight)return;let{body,at}=this;!body||
this.held||this.asks||post(this.address(body),this.withTab(body),{keepalive:!0}).then(answer=>answer.status===200&&this.
stored(body,at),()=>{})}async hold(){clearTimeout(this.timer),this.held=!0,this.flight&&await waitAtMost(this.flight,1e3)}release(){
this.held=!1,this.dirty&&this.flush()}done(){this.dirty=this.held=!1,this.body=null,clearTimeout(this.timer)}leave(){this.
dirty&&this.last(),this.done()}};var COVERS='[role="dialog"], [role="listbox"], [data-baseweb="popover"] [role="menu"]',TYPING="data-benchwright-typing";var typesInto=node=>!!node?.isContentEditable||/^(INPUT|TEXTAREA|SELECT)$/.test(node?.tagName??"")||document.body.hasAttribute(
TYPING),isCovered=root=>[...document.querySelectorAll(COVERS)].some(node=>!root.contains(node)&&node.getClientRects().length),
hearKeys=(rootOf,whileTyping,whileReading)=>{let heard=event=>{if(event.isComposing||event.keyCode===229||event.defaultPrevented)
return;let root=rootOf(),at=event.composedPath()[0];(typesInto(at)?root.contains(at)&&whileTyping(event,at):!isCovered(root)&&
whileReading(event,at))&&(event.preventDefault(),event.stopPropagation())};return document.addEventListener("keydown",heard,
{capture:!0}),()=>document.removeEventListener("keydown",heard,{capture:!0})},hasModifier=event=>event.ctrlKey||event.metaKey||
event.altKey,pressOnce=(event,act)=>act?(event.repeat||act(),!0):!1;var lineOf=owner=>owner.line??owner.box,showOtherWords=(owner,theirs,message,taken=()=>{})=>{hideOtherWords(owner);let place=el(
"div","notice other-words");place.setAttribute("role","alert");let[mine,take]=[button("button keep-mine","Keep mine"),button(
"button take-theirs","Take the other")],row=el("div","row");row.append(mine,take),place.append(el("p","",message),el("sp\
an","label","The other tab's text"),foreign("p","theirs",theirs.question),row);let choose=words=>{owner.keeper.knows(theirs.
saved_at),place.remove(),owner.box.value=words,owner.keeper.typed(),owner.keeper.flush()};mine.onclick=()=>choose(owner.
box.value),take.onclick=()=>{choose(theirs.question),taken()},lineOf(owner).after(place)},hideOtherWords=owner=>lineOf(owner).
parentElement?.querySelector(":scope > .other-words")?.remove();var NAME="benchwright-desk-bar",tellBar=news=>window.dispatchEvent(new CustomEvent(NAME,{detail:news}));var MAX_PASSED=200,ItemSteps=class{constructor(sheet,navigation,place){this.sheet=sheet,this.navigation=navigation,this.
place=place}told={tab:"",item:"",n:0};around="";get isOn(){return!!this.sheet.data?.visit}get passed(){try{return JSON.parse(
sessionStorage.getItem(this.passedKey)??"[]")}catch{return[]}}set passed(items){try{sessionStorage.setItem(this.passedKey,
JSON.stringify(items.slice(-MAX_PASSED)))}catch{return}}get before(){return this.passed.findLast(item=>item!==this.sheet.
item.id)}get passedKey(){let{visit}=this.sheet.data;return["benchwright.desk.passed",visit?.tab,visit?.kind.sample].filter(
Boolean).join(":")}isPast(data){let{item,data:own}=this.sheet;if(this.around=data.around??"",!item||!own?.visit||!data.visit)
return!1;let isOfTab=own.visit.tab===data.visit.tab;return(isOfTab?data.visit.number<own.visit.number:this.isUntold(data))?
(this.address(item.id),isOfTab&&this.renewAround(),!0):!1}isUntold(data){let{item}=this.sheet;if(item.id===data.item.id)
return!1;let{told}=this,went=data.went??0;return(told.tab!==data.visit?.tab||went>=told.n&&told.item!==item.id)&&(this.told=
{tab:data.visit?.tab??"",item:item.id,n:this.navigation.tell("open",item.id)}),went<this.told.n}renewAround(){let{sheet}=this;
(sheet.data.around??"")!==this.around&&sheet.setTriggerValue("around",freshKey())}async go(to,about){let{sheet,navigation}=this,
{visit,person}=sheet.data;if(!visit)return;let way=to==="back"?"back":["open","undone","changed"].includes(to)?"open":"n\
ext",target=way==="open"?about:way==="back"?this.before??"":"",going=navigation.lock(to,about);way==="back"&&(this.passed=
this.passed.slice(0,Math.max(0,this.passed.lastIndexOf(target))));let{tab,number,kind}=visit,body={person,key:freshKey(),
tab,number,kind,item:sheet.item.id,to:way,target},trouble=why=>sheet.saved(`the item is not here yet: ${why}, trying aga\
in`,!0),answer=await persist(this.place.path,body,trouble);if(sheet.gone||navigation.going!==going)return;navigation.going=
null;let found=answer.status===200?answer.body.desk:null;if(found?.visit)return this.arrive(found,way!=="back");way!=="b\
ack"&&this.pass(),target?navigation.ask("open",target):navigation.ask(to,about)}get onward(){let{visit}=this.sheet.data;
if(!visit)return;let{tab,number,kind}=visit;return{key:freshKey(),tab,number,kind}}goOn(to,about,found){if(!this.sheet.gone){
if(this.sheet.item.id!==about)return this.sheet.buttons();if(found?.visit)return this.arrive(found);if(found===void 0)return this.
navigation.go(to,about);this.pass(),this.navigation.ask(to,about)}}pass(){let{passed}=this,here=this.sheet.item.id;passed.
at(-1)!==here&&(this.passed=[...passed,here])}arrive(found,isPassed=!0){let{sheet}=this,isOther=found.item.id!==sheet.item.
id;isOther&&isPassed&&this.pass(),sheet.draw(found),isOther&&this.address(found.item.id),found.bar&&tellBar({bar:found.bar,
visit:found.visit??null}),this.renewAround()}address(item){let url=new URL(location.href);url.searchParams.set(this.place.
name,item),history.replaceState(history.state,"",url)}};var SETTLE_MS=150,ECHO_MS=3e3,FLUSH_MS=1500,pressed=Date.now(),isAtWork=()=>document.querySelector('[data-testid="stApp"\
]')?.dataset.testScriptState==="running",Navigation=class{busy=!1;going=null;lastAnswered=0;shownAt=1/0;key="";constructor(sheet,place){
this.sheet=sheet,this.steps=new ItemSteps(sheet,this,place)}appeared(){let key=this.renewKey();this.shownAt=1/0;let start=()=>{
this.key===key&&(this.shownAt=performance.now(),this.sheet.buttons(),setTimeout(()=>this.sheet.buttons(),SETTLE_MS+10))},
begin=()=>requestAnimationFrame(()=>requestAnimationFrame(start));document.visibilityState==="visible"?begin():document.
addEventListener("visibilitychange",begin,{once:!0})}renewKey(){return this.key=freshKey(),this.key}get free(){return!this.
busy&&!this.going&&performance.now()-this.shownAt>=SETTLE_MS}lock(to,item){return pressed=Math.max(pressed+1,Date.now()),
this.going={to,item,n:pressed},this.sheet.buttons(),this.going}go(to,item){this.steps.isOn?this.steps.go(to,item):this.ask(
to,item)}ask(to,item){let{n}=this.lock(to,item);this.repeat({to,item,n},()=>this.going?.n!==n)}tell(to,item){pressed=Math.
max(pressed+1,Date.now());let n=pressed;return this.repeat({to,item,n},()=>this.lastAnswered>=n),n}repeat(went,isAnswered){
let tell=wait=>{this.sheet.setTriggerValue("went",went),setTimeout(again,wait,wait*2)},again=wait=>{isAnswered()||this.sheet.
gone||(isAtWork()?setTimeout(again,ECHO_MS,wait):tell(wait))};tell(ECHO_MS)}answered(n){this.lastAnswered=Math.max(this.
lastAnswered,n),this.going&&n>=this.going.n&&(this.going=null)}leads(to){return to!=="back"||!!this.sheet.data.has_back||
this.hasPassed}get hasPassed(){return this.steps.isOn&&this.steps.before!==void 0}receive(data){return this.answered(data.
went??0),!this.steps.isPast(data)}flushed(){return waitAtMost(this.sheet.keeper.flush(),FLUSH_MS)}async passOn(by){let{sheet}=this;
this.busy=!0,sheet.say(""),sheet.saved(""),sheet.buttons();let lost={by,hasWords:!!sheet.hasOwnWords};await this.flushed(),
this.busy=!1,sheet.lost=lost,this.go("taken",sheet.item.id)}async leave(to){let{sheet}=this;!this.free||!this.leads(to)||
(this.busy=!0,sheet.buttons(),await this.flushed(),this.busy=!1,this.go(to,sheet.item.id))}};var RewriteSaving=class extends Navigation{async save(){let{sheet}=this;if(!this.free||!sheet.mayWrite)return;if(!sheet.
box.value.trim())return sheet.say("The box is empty: write the question in your own words, or go on with n.");let reason=sheet.
find("keep-it",HTMLInputElement).checked?sheet.find("reason",HTMLInputElement).value.trim():"";if(!sheet.find("near").hidden&&
sheet.find("keep-it",HTMLInputElement).checked&&!reason)return sheet.say("Say why you keep this rewrite.");this.busy=!0,
sheet.say(""),sheet.buttons(),await sheet.keeper.hold();let body={person:sheet.data.person,item:sheet.item.id,revision:sheet.
item.revision,text:sheet.box.value,reason,seconds:sheet.time.seconds,tab:TAB,onward:this.steps.onward};sheet.saved("stor\
ing");let answer=await persist("/bench/rewrite",body,why=>sheet.saved(`not stored yet: ${why}, trying again`,!0));if(this.
busy=!1,answer.status===200&&answer.body.ok){forget(body.person,`rewrite:${body.item}`),sheet.keeper.done(),sheet.receipt=
`stored ${clock(Date.now())}`,sheet.saved(sheet.receipt),this.steps.goOn("saved",body.item,answer.body.desk);return}sheet.
keeper.release(),sheet.saved(""),answer.body.kind==="near"?(sheet.near(answer.body.message),sheet.say("Not stored: chang\
e the words, or tick the box above and give the reason.")):sheet.say(answer.body.message??`Nothing was stored: the serve\
r answered ${answer.status}.`),answer.body.kind==="changed"&&this.go("changed",body.item),sheet.buttons()}};var COUNT_AFTER_MS=300,COMPARE_AFTER_MS=1200,SIMILARITY_PATIENCE_MS=12e4,share=value=>`${Math.round(100*value)} %`,times=value=>`\
× ${value.toFixed(2)}`,NUMBERS=[["shared","Content words kept",share],["in_order","In the same order",share],["edit","L\
etters changed",share],["words_ratio","Length in words",times],["characters_ratio","In characters",times]],RewriteSheet=class{on="\
rewrite";gone=!1;receipt="";counting=0;comparing=0;counted={};data;item;setTriggerValue;constructor(parent){this.root=find(
parent,".sheet"),this.find=finder(this.root),this.aside=find(parent,".aside"),this.box=this.find("text",HTMLTextAreaElement),
this.keeper=new DraftKeeper(this),this.saving=new RewriteSaving(this,{path:"/bench/rewrite/next",name:"item"}),this.time=
new ActiveTime,this.box.oninput=()=>this.typed(),this.box.onblur=()=>this.keeper.flush(),this.find("save").onclick=()=>this.
saving.save(),this.find("next").onclick=()=>this.saving.leave("next"),this.find("previous").onclick=()=>this.saving.leave(
"back"),this.stopKeys=hearKeys(()=>this.root,(event,at)=>this.whileTyping(event,at),event=>this.whileReading(event)),this.
stopLeaving=onLeave(()=>this.keeper.last()),dropOldDrafts()}get words(){return{question:this.box.value,answer:""}}get base(){
return this.item.revision}get mayWrite(){return!!this.data.person&&!this.data.blocked}stop(){this.gone=!0,clearTimeout(this.
counting),clearTimeout(this.comparing),this.keeper.last(),this.time.stop(),this.stopKeys(),this.stopLeaving()}whileTyping(event,at){
return event.key==="Escape"?(at.blur(),!0):event.key!=="Enter"||!(event.ctrlKey||event.metaKey)?!1:pressOnce(event,()=>this.
saving.save())}whileReading(event){return hasModifier(event)||event.shiftKey?!1:pressOnce(event,{n:()=>this.saving.leave(
"next"),b:()=>this.saving.leave("back"),w:()=>this.box.focus()}[event.key])}render({data,setTriggerValue}){this.setTriggerValue=
setTriggerValue,this.saving.receive(data)&&this.draw(data)}draw(data){let before=this.item,person=this.data?.person;if(this.
saving.going&&before?.id===data.item.id)return;this.data=data;let same=before&&before.id===data.item.id&&person===data.person&&
!this.receipt;before&&!same&&(this.saving.steps.isOn&&(this.saving.going=null),this.keeper.leave()),this.item=data.item,
this.ground(),same||this.open(),this.buttons()}ground(){let{item,evidence}=this.data,chips=[item.task_label,item.level===
null?"":`Level ${item.level}`,item.domain,LANGUAGE_NAMES[item.language]??item.language].filter(Boolean);this.find("about").
replaceChildren(...chips.map(text=>el("span","chip",text))),this.find("question").replaceChildren(foreign("p","",item.question)),
this.find("answers").replaceChildren(...item.answers.map(text=>foreign("p","",text))),this.find("evidence-label").hidden=
!evidence.length,this.find("evidence").replaceChildren(...evidence.map(({title,text,left_out})=>{let quote=el("blockquot\
e");return quote.append(el("cite","",title),foreign("p","",text)),left_out&&quote.append(el("span","faint",`${left_out} \
further characters`)),quote})),this.others()}others(){let{people,wanted,written}=this.data;this.aside.hidden=written.length>
0||!people,this.aside.textContent=`Rewrites by others: ${people} of ${wanted}, shown once you have stored yours.`}open(){
let{data,item}=this,copy=newestDraft(data.person,subjectOf(this.on,item.id),data.scratch),wasTyping=focused(this.root)===
this.box;this.keeper.knows(data.scratch?.saved_at),hideOtherWords(this),this.box.value=copy?.question??"",this.time.start(
copy?.seconds??0),this.say(data.blocked||(copy&&copy.revision!==item.revision?"The question was changed since you wrote \
this: read it again.":"")),this.saved(this.receipt?`last rewrite ${this.receipt}`:copy?.question?`your text of ${clock(copy.
at,!1)} is back`:""),this.receipt&&wasTyping&&this.box.focus(),this.receipt="",this.near(null),this.measured({}),copy?.question&&
(this.count(),copy.local&&this.keeper.typed()),this.saving.appeared(),this.root.dataset.rewriteItem=item.id}elsewhere(theirs,message){
showOtherWords(this,theirs,message,()=>this.count())}typed(){this.say(""),this.keeper.typed(),this.count()}count(){clearTimeout(
this.counting),clearTimeout(this.comparing);let note=unseenNote(this.box.value);if(find(this.root,".hint").textContent=note,
find(this.root,".hint").hidden=!note,!this.box.value.trim())return this.near(null),this.measured({});this.counting=setTimeout(
()=>this.ask("numbers"),COUNT_AFTER_MS),this.comparing=setTimeout(()=>this.ask("similarity"),COMPARE_AFTER_MS)}async ask(what){
let[item,text]=[this.item.id,this.box.value];what==="similarity"&&this.measured({...this.counted,similarity:null,why:"is\
 being computed"});let patience=what==="similarity"?SIMILARITY_PATIENCE_MS:void 0,answer=await post(`/bench/rewrite/${what}`,
{item,text},{patience}).catch(()=>null);!answer||this.gone||item!==this.item.id||text!==this.box.value||answer.status!==
200||(what==="numbers"&&this.near(answer.body.near),this.measured(what==="numbers"?answer.body:{...this.counted,...answer.
body}))}measured(counted){this.counted=counted;let cells=NUMBERS.map(([name,label,said])=>[label,typeof counted[name]=="\
number"?said(counted[name]):"–",""]),like=counted.similarity;cells.push(["Similarity in meaning",typeof like=="number"?
like.toFixed(2):counted.why||"–",counted.why?"why":""]),this.find("numbers").replaceChildren(...cells.map(([label,value,
kind])=>{let cell=el("div");return cell.append(el("dt","",label),el("dd",kind,value)),cell}))}near(why){this.find("near").
hidden=!why,this.find("near-why").textContent=why??"",!why&&(this.find("keep-it",HTMLInputElement).checked=!1,this.find(
"reason",HTMLInputElement).value="")}say(words){this.find("said").textContent=words,this.find("said").hidden=!words}saved(words,trouble=!1){
this.find("saved").textContent=words||(this.data?.person?"":"Give your name first: rewrites are stored under it."),this.
find("saved").classList.toggle("trouble",trouble)}buttons(){let{saving}=this;this.find("save",HTMLButtonElement).disabled=
!saving.free||!this.mayWrite,this.find("next",HTMLButtonElement).disabled=!saving.free,this.find("previous",HTMLButtonElement).
disabled=!saving.free||!saving.leads("back"),this.box.readOnly=!this.mayWrite||saving.busy||!!saving.going}},rewrite_default=mount(
parent=>new RewriteSheet(parent));export{RewriteSheet,rewrite_default as default};
